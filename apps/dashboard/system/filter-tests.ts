import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { barriers } from '../testing/barriers.ts'
import type { DashboardFixture } from '../testing/dashboard-fixture.ts'
import { open, settled } from '../testing/pages.ts'

/** What holds for the filters that the service has for a list: the page offers them, and the address holds them. */
export function filterTests(fixture: () => DashboardFixture): void {
  const at = async (path: string): Promise<Page> => {
    const { page } = await fixture().memberOf('owner')
    await open(page, fixture().url + path)
    return page
  }
  const cellsOf = (page: Page, label: string, column: number) =>
    page.getByRole('region', { name: label }).locator(`tbody tr td:nth-child(${column})`).allInnerTexts()

  test('entries of the audit log are those between two days', async () => {
    const page = await at(`/app/audit?to=${fixture().dayBefore}`)
    await page.getByText('No entry matches').waitFor()
    await page.getByLabel('From this day, UTC, of entries').focus()
    await page.getByRole('button', { name: 'Clear' }).click()
    await page.getByRole('region', { name: 'Audit log' }).waitFor()
    const { url, filledOn } = fixture()
    await open(page, `${url}/app/audit?from=${filledOn}&to=${filledOn}`)
    expect(await page.getByRole('region', { name: 'Audit log' }).locator('tbody tr').count()).toBeGreaterThan(0)
    expect(await barriers(page)).toEqual([])
  })

  test('payments are those of a recipient and between two days', async () => {
    const page = await at(`/app/ramp?tab=payments&to=${fixture().dayBefore}`)
    await page.getByText('No payment matches').waitFor()
    await open(page, `${fixture().url}/app/ramp?tab=payments&from=${fixture().filledOn}`)
    const all = await page.getByRole('region', { name: 'Payments' }).locator('tbody tr').count()
    await page.getByRole('combobox', { name: 'Recipient' }).fill('granite')
    await page.getByRole('option', { name: 'Granite Supplies' }).click()
    await expect.poll(() => new URL(page.url()).searchParams.has('recipient')).toBe(true)
    await settled(page)
    expect(await page.getByRole('region', { name: 'Payments' }).locator('tbody tr').count()).toBeLessThan(all)
    await open(page, page.url())
    await expect.poll(() => page.getByRole('combobox', { name: 'Recipient' }).inputValue()).toBe('Granite Supplies')
    expect(await barriers(page)).toEqual([])
  })

  test('positions are those of a wallet and a token, and the totals are theirs', async () => {
    const page = await at('/app/allocations?token=USDT')
    await page.getByText('No position matches').waitFor()
    await page.getByText('of those chosen, with a balance').first().waitFor()
    await open(page, `${fixture().url}/app/allocations`)
    const all = await cellsOf(page, 'Positions', 1)
    await page.getByRole('combobox', { name: 'Operational wallet' }).fill('reserve')
    await page.getByRole('option', { name: /^Reserve/ }).click()
    await expect.poll(() => cellsOf(page, 'Positions', 1)).toHaveLength(1)
    expect(all.length).toBeGreaterThan(1)
    expect(await barriers(page)).toEqual([])
  })

  test('ledger entries of a wallet are those of a kind and between two days, until its panel is closed', async () => {
    const page = await at('/app/wallets')
    await page.getByRole('row', { name: /Payouts/ }).click()
    const panel = page.getByRole('dialog')
    await panel.getByRole('button', { name: 'Show entries' }).click()
    await panel.getByRole('combobox', { name: 'Kind of entry' }).click()
    await page.getByRole('option', { name: 'Supply', exact: true }).click()
    await expect.poll(async () => new Set(await cellsOf(page, 'Ledger entries', 1))).toEqual(new Set(['Supply']))
    expect(await barriers(page, { within: '[role=dialog]' })).toEqual([])
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
    expect(new URL(page.url()).searchParams.has('entryKind')).toBe(false)
  })
}
