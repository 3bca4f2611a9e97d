import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { barriers } from '../testing/barriers.ts'
import type { DashboardFixture } from '../testing/dashboard-fixture.ts'
import { addProfiles, fillLong, type LongFilled, POSITIONS, PROFILES } from '../testing/fill-long.ts'
import { open, settled } from '../testing/pages.ts'
import { member, type Visitor } from '../testing/visitors.ts'

/** What the page shows while it prints: the rows of a table and what stands below them. */
const PRINTED = `window.print = () => {
  const table = document.querySelector('table[aria-label="Positions"]')
  window.printed = { rows: table.querySelectorAll('tbody tr').length, foot: table.closest('section').querySelector('.table-foot').innerText }
  window.dispatchEvent(new Event('afterprint'))
}`

/** What holds for lists that are longer than one page of their table, or than one response of the service. */
export function longTests(fixture: () => DashboardFixture): void {
  let long: LongFilled
  let visit: Visitor
  beforeAll(async () => {
    const { system, browser, url } = fixture()
    long = await fillLong(system)
    visit = await member(browser, url, long.owner)
  }, 120_000)
  const go = async (path: string): Promise<Page> => {
    await open(visit.page, fixture().url + path)
    return visit.page
  }

  test('a statement has every position, although the page shows 25, and the page is back afterwards', async () => {
    const page = await go('/app/allocations')
    await page.getByText(`1–25 of ${POSITIONS}`).waitFor()
    await page.evaluate(PRINTED)
    await page.getByRole('button', { name: 'Print a statement' }).click()
    await expect
      .poll(() => page.evaluate('window.printed'))
      .toMatchObject({
        rows: POSITIONS,
        foot: expect.stringContaining(`All ${POSITIONS} rows`),
      })
    await page.getByText(`1–25 of ${POSITIONS}`).waitFor()
  })

  test('a check of the whole log ends, although entries are written while it reads', async () => {
    const page = await go('/app/audit')
    let asked = 0
    await page.route('**/api/core/audit-log?*', async (route) => {
      asked += 1
      if (asked === 2) await addProfiles(long.asOwner, 'Meanwhile', PROFILES)
      await route.continue()
    })
    await page.getByRole('button', { name: 'Check the whole log' }).click()
    await page.getByText('The whole log holds together').waitFor()
    await page.unroute('**/api/core/audit-log?*')
  })

  test('a service account opens from its link, on whichever page of the table it is', async () => {
    const page = await go(`/app/developers?tab=accounts&open=${long.oldestAccount}`)
    await page.getByText('1–25 of 26').waitFor()
    const panel = page.getByRole('dialog', { name: 'Program 0' })
    await panel.waitFor()
    // The keyboard reaches an exact time.
    const time = panel.locator('dl time').first()
    const exact = await time.getAttribute('data-tip')
    // The page gets its tooltip in an idle moment.
    const tipAtFocus = async () => {
      await time.blur()
      await time.focus()
      return page
        .getByRole('tooltip')
        .innerText({ timeout: 1_000 })
        .catch(() => undefined)
    }
    await expect.poll(tipAtFocus, { timeout: 20_000 }).toBe(exact)
    expect(await barriers(page)).toEqual([])
    await go('/app/developers?tab=accounts&open=987654321')
    await page.getByText('There is no such service account').waitFor()
    await go('/app/activity?tab=errors&open=nothing')
    await page.getByText('There is no such error').waitFor()
  })

  test('a position says that it lists its newest operations only, and where the others are', async () => {
    const page = await go(`/app/allocations?offset=${POSITIONS - 10}`)
    await page.route('**/api/v1/allocations/*', async (route) => {
      const response = await route.fetch()
      const json = await response.json()
      const supply = {
        type: 'SUPPLY',
        status: 'COMPLETED',
        amount: '1.00',
        token: 'USDC',
        createdAt: json.data.createdAt,
      }
      json.data.operations = Array.from({ length: 100 }, (_, at) => ({ id: at + 1, ...supply }))
      await route.fulfill({ response, json })
    })
    await page.getByRole('row', { name: /Oldest/ }).click()
    const panel = page.getByRole('dialog', { name: 'Position' })
    await panel.getByRole('region', { name: 'Its newest 100 operations' }).waitFor()
    await panel.getByRole('link', { name: 'all finished operations of its wallet' }).click()
    await page.getByText(/^1–25 of 101$/).waitFor()
    await page.unroute('**/api/v1/allocations/*')
  })

  test('every version of the policy can be reached', async () => {
    const page = await go('/app/policy')
    const versions = page.getByRole('region', { name: 'Versions' }).first()
    await versions.getByText(/^1–25 of/).waitFor()
    await versions.getByRole('button', { name: 'Next' }).click()
    await versions.getByText(/^26–\d+ of/).waitFor()
  })

  test('every wallet profile can be reached, and gets a key', async () => {
    const page = await go('/app/developers?tab=profiles')
    await page.getByText(/^1–25 of \d{3}$/).waitFor()
    await go('/app/developers')
    await page.getByRole('button', { name: 'Generate a key' }).first().click()
    await page.getByRole('dialog').getByLabel('Name').fill('Of the oldest profile')
    await page.getByRole('dialog').getByRole('combobox', { name: 'Scope' }).fill('Profile 0')
    await page.getByRole('option', { name: 'Profile Profile 0', exact: true }).click()
    expect(await barriers(page)).toEqual([])
    await page.getByRole('dialog').getByRole('button', { name: 'Generate', exact: true }).click()
    await page.getByText('It is shown once.').waitFor()
    await settled(page)
  })

  test('a rule of the policy names any wallet, found by its label', async () => {
    const page = await go('/app/policy')
    await page.getByRole('button', { name: 'Add a rule' }).click()
    const rule = page.getByRole('region', { name: 'Rule 1' })
    await rule.getByRole('combobox', { name: 'Add a condition to rule 1' }).click()
    await page.getByRole('option', { name: 'Wallets', exact: true }).click()
    await rule.getByRole('combobox', { name: 'Wallets' }).fill('olde')
    await page.getByRole('option', { name: /^Oldest/ }).click()
    await rule.getByText(/^Oldest 0x.* on Polygon$/).waitFor()
    await page.keyboard.press('Escape')
    expect(await barriers(page)).toEqual([])
  })
}
