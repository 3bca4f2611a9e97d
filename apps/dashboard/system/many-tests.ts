import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { barriers } from '../testing/barriers.ts'
import type { DashboardFixture } from '../testing/dashboard-fixture.ts'
import { fillMany, HELD, MANY, type ManyFilled } from '../testing/fill-many.ts'
import { open, settled } from '../testing/pages.ts'
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
    return (await readFile(await saved.path(), 'utf8')).trim().split('\r\n').slice(1)
  }

  test('with more than 100 wallets, the overview sums all of them, and counts all that waits', async () => {
    const { page } = visit
    await open(page, `${fixture().url}/`)
    expect(await figure(page, 'In all wallets, USD').innerText()).toBe(HELD)
    await page.getByText(`${MANY} wallets, ${MANY} operational`).waitFor()
    expect(await figure(page, 'Waiting for approval').innerText()).toBe(String(MANY))
    await page.getByRole('navigation').getByLabel(`${MANY} wait for approval`).waitFor()
    await page.getByText('1 wallet is below its buffer').waitFor()
    await page.getByRole('link', { name: 'Oldest' }).waitFor()
    expect(await barriers(page)).toEqual([])
    expect(await rowsOfCsv(page, 'Wallets')).toHaveLength(MANY)
  })

  test('with more than 100 wallets, reconciliation sums, pages and saves all of them', async () => {
    const { page } = visit
    await open(page, `${fixture().url}/app/reconciliation`)
    expect(await figure(page, 'Liquid, USD').innerText()).toBe(HELD)
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
    expect(await panel.locator('dl').first().textContent()).toContain('Total777.00 USDC')
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
    await page.getByRole('combobox', { name: 'Operational wallet' }).fill('olde')
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
}
