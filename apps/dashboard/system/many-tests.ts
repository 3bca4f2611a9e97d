import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { barriers } from '../testing/barriers.ts'
import type { DashboardFixture } from '../testing/dashboard-fixture.ts'
import { CHANGES, ENDED, fillMany, HELD, MANY, type ManyFilled } from '../testing/fill-many.ts'
import { open, settled } from '../testing/pages.ts'
import { savedLines } from '../testing/saved-lines.ts'
import { member, type Visitor } from '../testing/visitors.ts'

/** What holds for an organization with more wallets and operations than one page of a list has. */
export function manyTests(fixture: () => DashboardFixture): void {
  let many: ManyFilled
  let visit: Visitor
  beforeAll(async () => {
    const { system, browser, url } = fixture()
    many = await fillMany(system)
    visit = await member(browser, url, many.owner)
  }, 120_000)
  const figure = (page: Page, label: string) =>
    page.getByText(label, { exact: true }).locator('..').locator('.figures').first()
  const rowsOfCsv = async (page: Page, region?: string) => {
    const scope = region === undefined ? page : page.getByRole('region', { name: region }).first()
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      scope.getByRole('button', { name: 'CSV', exact: true }).click(),
    ])
    return (await savedLines(saved)).slice(1)
  }

  test('with more than 100 wallets, the overview sums all of them, and counts all that waits', async () => {
    const { page } = visit
    await open(page, `${fixture().url}/`)
    await expect.poll(() => figure(page, 'In all wallets, USD').innerText()).toBe(HELD)
    await page.getByText(`${MANY} wallets, ${MANY} operational`).waitFor()
    await expect.poll(() => figure(page, 'Waiting for approval').innerText()).toBe(String(MANY + CHANGES))
    await page.getByRole('navigation').getByLabel(`${MANY} waiting for approval`).waitFor()
    await page.getByText('1 wallet is below its buffer').waitFor()
    await page.getByRole('link', { name: 'Oldest' }).waitFor()
    expect(await barriers(page)).toEqual([])
    expect(await rowsOfCsv(page, 'Wallets')).toHaveLength(MANY)
  })

  test('with more than 100 wallets, reconciliation sums, pages and saves all of them', async () => {
    const { page } = visit
    await open(page, `${fixture().url}/app/reconciliation`)
    await expect.poll(() => figure(page, 'Liquid, USD').innerText()).toBe(HELD)
    const wallets = page.getByRole('region', { name: 'Wallet by wallet' }).first()
    await wallets.getByText(`1–25 of ${MANY}`).waitFor()
    for (let from = 26; from <= MANY; from += 25) {
      await wallets.getByRole('button', { name: 'Next' }).click()
      await wallets.getByText(new RegExp(`^${from}–`)).waitFor()
    }
    await wallets.getByRole('row', { name: /^Oldest 0x.*777\.00/ }).waitFor()
    const rows = await rowsOfCsv(page, 'Wallet by wallet')
    expect(rows).toHaveLength(MANY)
    expect(rows.filter((row) => row.includes(many.oldest.address))).toHaveLength(1)
  })

  test('with more than 100 wallets, the oldest one opens with its buffer and its reasons', async () => {
    const { page } = visit
    await open(page, `${fixture().url}/app/wallets?open=${many.oldest.opWalletId}`)
    const panel = page.getByRole('dialog', { name: 'Operational wallet' })
    await expect.poll(() => panel.locator('dl').first().textContent()).toContain('Total777.00 USDC')
    await panel
      .getByRole('region', { name: 'Buffer' })
      .getByText(/Above the buffer/)
      .waitFor()
    await panel.getByText('Oldest', { exact: true }).waitFor()
    expect(await barriers(page)).toEqual([])
  })

  test('with more than 100 wallets, no operational one is offered to become operational', async () => {
    const { page } = visit
    await open(page, `${fixture().url}/app/wallets?tab=all&offset=100`)
    await page.getByRole('link', { name: 'USDC, open Oldest' }).waitFor()
    expect(await page.getByRole('button', { name: /operational$/ }).count()).toBe(0)
  })

  test('with more than 100 wallets, lists and forms find the oldest by its label', async () => {
    const { url } = fixture()
    const { page } = visit
    for (const path of ['/app/wallets', '/app/wallets?tab=all']) {
      await open(page, url + path)
      await page.getByRole('searchbox', { name: 'Label or address' }).fill('olde')
      await page.getByText('1–1 of 1').waitFor()
      await page.getByRole('row', { name: /Oldest/ }).waitFor()
    }
    await open(page, `${url}/app/allocations`)
    await page.getByRole('button', { name: 'Deploy' }).click()
    await page.getByRole('dialog').getByRole('combobox', { name: 'Operational wallet' }).fill('olde')
    await page.getByRole('option', { name: /^Oldest/ }).click()
    expect(await barriers(page)).toEqual([])
    await page.getByLabel('Amount').fill('1')
    expect(await page.getByRole('dialog').getByRole('button', { name: 'Deploy', exact: true }).isEnabled()).toBe(true)
    await open(page, `${url}/app/wallets`)
    await page.getByRole('button', { name: 'Add a wallet' }).click()
    await page.getByRole('combobox', { name: 'Address', exact: true }).fill('olde')
    await page.getByRole('option', { name: /^Oldest/ }).click()
    expect(await barriers(page)).toEqual([])
  })

  test('with more than 100 operations that wait, the inbox pages through all of them', async () => {
    const { page } = visit
    await open(page, `${fixture().url}/app/operations`)
    await page.getByRole('tab', { name: `Inbox ${MANY}` }).waitFor()
    await page.getByText(`1–25 of ${MANY}`).waitFor()
    for (let from = 26; from <= MANY; from += 25) {
      await page.getByRole('button', { name: 'Next' }).click()
      await page.getByText(new RegExp(`^${from}–`)).waitFor()
    }
    await settled(page)
    expect(await page.locator('tbody tr').count()).toBe(MANY - 100)
    expect(await rowsOfCsv(page)).toHaveLength(MANY)
  })

  test('a long table leads to its last page and back to its first', async () => {
    const { page } = visit
    await open(page, `${fixture().url}/app/operations`)
    await page.getByRole('button', { name: 'Last', exact: true }).click()
    await page.getByText(`101–${MANY} of ${MANY}`).waitFor()
    expect(await page.getByRole('button', { name: 'Last', exact: true }).isDisabled()).toBe(true)
    await page.getByRole('button', { name: 'First', exact: true }).click()
    await page.getByText(`1–25 of ${MANY}`).waitFor()
    expect(await barriers(page)).toEqual([])
  })

  test('the health page says of how many wallets it shows the gas, and its CSV is named so', async () => {
    const { page } = visit
    await open(page, `${fixture().url}/app/health`)
    await page.getByText(`the organization has ${MANY} operational wallets`).waitFor()
    expect(await page.getByRole('region', { name: 'Gas of the 100 oldest wallets' }).locator('tbody tr').count()).toBe(
      100,
    )
    const csv = page.getByRole('button', { name: 'CSV of Gas of the 100 oldest wallets' })
    const [saved] = await Promise.all([page.waitForEvent('download'), csv.click()])
    expect(saved.suggestedFilename()).toBe('gas-of-the-100-oldest-wallets.csv')
    expect(await barriers(page)).toEqual([])
  })

  test('a CSV has every row of a list as it is filtered, also beyond 10,000', async () => {
    const { url } = fixture()
    const { page } = visit
    await open(page, `${url}/app/operations?tab=history`)
    await page.getByText(`1–25 of ${ENDED}`).waitFor()
    const rows = await rowsOfCsv(page)
    expect(rows).toHaveLength(ENDED)
    expect(new Set(rows.map((row) => row.split(',')[0])).size).toBe(ENDED)
    await page.getByText('Saving operations.csv').waitFor({ state: 'detached' })
    const day = new Date(Date.now() - 2 * 86_400_000).toISOString().slice(0, 10)
    await open(page, `${url}/app/operations?tab=history&from=${day}&to=${day}&type=SUPPLY`)
    await page.getByText('1–25 of 1440').waitFor()
    expect(await rowsOfCsv(page)).toHaveLength(1_440)
  })

  test('operations are filtered by wallet, token, day and hash on the service, and the address holds it', async () => {
    const { url } = fixture()
    const { page } = visit
    await open(page, `${url}/app/operations`)
    await page.getByRole('button', { name: 'More filters' }).click()
    await page.getByRole('combobox', { name: 'Wallet' }).fill('branch 7')
    await page.getByRole('option', { name: /^Branch 7 / }).click()
    await page.getByText('1–1 of 1').waitFor()
    await page.getByRole('row', { name: /Branch 7 0x/ }).waitFor()
    await open(page, page.url())
    await page.getByText('1–1 of 1').waitFor()
    await expect.poll(() => page.getByRole('combobox', { name: 'Wallet' }).inputValue()).toMatch(/^Branch 7 /)
    expect(await barriers(page)).toEqual([])
    await page.getByRole('searchbox', { name: 'Hash of a transaction' }).fill(`0x${'ab'.repeat(32)}`)
    await page.getByText('No operation matches').waitFor()
    await page.getByRole('button', { name: 'Show all' }).click()
    await page.getByText(`1–25 of ${MANY}`).waitFor()
  })

  test('a change request opens from its link, on whichever page of the table it is', async () => {
    const { url } = fixture()
    const { page } = visit
    await open(page, `${url}/app/changes?open=${many.oldestChange}`)
    const panel = page.getByRole('dialog')
    await panel.getByText('"name": "Key 0"').waitFor()
    expect(await barriers(page)).toEqual([])
    await open(page, `${url}/app/changes?open=987654321`)
    await panel.getByText('Request not found').waitFor()
  })
}
