import type { Route } from 'playwright-core'
import { expect, test } from 'vitest'
import { lastDay, today } from '../src/lib/dates/as-of.ts'
import { toBaseUnits } from '../src/lib/money/money.ts'
import { barriers } from '../testing/barriers.ts'
import { countClicks } from '../testing/clicks.ts'
import { type DashboardFixture, DESKTOP, PHONE } from '../testing/dashboard-fixture.ts'
import { openWallet } from '../testing/open-wallet.ts'
import { fillDay, open, settled } from '../testing/pages.ts'
import { savedLines } from '../testing/saved-lines.ts'

/** What treasurers look for. They run first: later tests decide what waits and ask for second factors. */
export function treasurerTests(fixture: () => DashboardFixture): void {
  test('an approver reads which rule asked and says why in two clicks, and everyone who opens the operation reads it', async () => {
    const { url, memberOf } = fixture()
    const { page } = await memberOf('approver')
    await open(page, `${url}/`)
    const clicks = await countClicks(page)
    await page.getByRole('link', { name: 'Review' }).click()
    const panel = page.getByRole('dialog', { name: /^Operation / })
    await panel.getByText('because the amount is at least 10000.00').waitFor()
    await panel.getByText('2 approvals missing').waitFor()
    // Why one is asked is read without scrolling past what would be signed.
    const missing = await panel.getByText('2 approvals missing').boundingBox()
    expect(missing!.y + missing!.height).toBeLessThan(DESKTOP.height)
    await panel.getByLabel('Link to an invoice or a ticket').fill('http://tickets.example/7')
    expect(await panel.getByRole('button', { name: /^Approve/ }).isDisabled()).toBe(true)
    await panel.getByLabel('Link to an invoice or a ticket').fill('https://tickets.example/7')
    await panel.getByLabel('Reason').fill('Payroll is paid on Friday.')
    await panel.getByRole('button', { name: /^Approve/ }).press('Enter')
    await panel.getByText('1 approval missing').waitFor()
    expect(await clicks()).toBe(2)
    await expect.poll(() => page.evaluate('document.activeElement?.tagName')).toBe('BUTTON')

    const { page: viewer } = await memberOf('viewer')
    await open(viewer, page.url())
    const decisions = viewer.getByRole('list', { name: 'Decisions' })
    await decisions.getByText('Payroll is paid on Friday.').waitFor()
    expect(await decisions.getByRole('link').getAttribute('href')).toBe('https://tickets.example/7')
    expect(await barriers(viewer)).toEqual([])
  })

  test('why a wallet does not earn is one click from the overview', async () => {
    const { url, memberOf } = fixture()
    const { page } = await memberOf('viewer')
    await open(page, `${url}/`)
    const clicks = await countClicks(page)
    await page
      .getByRole('row', { name: /Payouts 0x/ })
      .getByRole('link', { name: 'Open' })
      .click()
    await page.getByText('which waits for 1 approval').waitFor()
    await page.getByText('Then Weir would').waitFor()
    expect(await clicks()).toBe(1)
  })

  test('the yield on the overview is that of all positions ever, what was withdrawn included', async () => {
    const { url, memberOf } = fixture()
    const { page } = await memberOf('viewer')
    await page.route('**/api/core/wallets/stats', async (route) => {
      const response = await route.fetch()
      const answer = await response.json()
      await route.fulfill({ response, json: { ...answer, data: { ...answer.data, yieldEarned: '4321.09' } } })
    })
    await open(page, `${url}/`)
    await page.getByText('Yield earned, USD').locator('..').getByText('4,321.09').waitFor()
  })

  test('a missing delivery is three clicks from the overview, with what was sent and what came back', async () => {
    const { url, memberOf } = fixture()
    const { page } = await memberOf('viewer')
    const ofOperation = /deliveries\?operationId=/
    // While the receiver fails, one delivery is tried; which one that is depends on the moment.
    await page.route(ofOperation, async (route) => {
      const response = await route.fetch()
      const { data } = await response.json()
      await route.fulfill({ response, json: { success: true, data: [{ ...data[0], attempts: [] }, ...data.slice(1)] } })
    })
    await open(page, `${url}/`)
    const clicks = await countClicks(page)
    await page.getByRole('region', { name: 'Latest operations' }).getByRole('link').first().click()
    const sent = page
      .getByRole('region', { name: 'Timeline' })
      .getByText(/^Signed and sent by the client .*, in block \d+/)
    await sent.first().waitFor()
    await page.getByRole('link', { name: 'Webhook deliveries about this operation' }).click()
    const panel = page.getByRole('dialog', { name: 'Webhook' })
    await panel.locator('dl').getByText('Last response').waitFor()
    await panel.getByText('waits until the receiver responds').first().waitFor()
    await panel.getByRole('row', { name: /operation\.created/ }).click()
    await panel.getByLabel('What is sent').getByText('"operationId"').waitFor()
    expect(await clicks()).toBe(3)
    expect(await barriers(page)).toEqual([])
    await page.unroute(ofOperation)
    await panel.getByRole('textbox', { name: 'ID of the operation' }).fill('987654321')
    await panel.getByText('No delivery matches').waitFor()
  })

  test('when money could be back is summed exactly, and says why nobody knows it of the rest', async () => {
    const { url, memberOf } = fixture()
    const { page } = await memberOf('viewer')
    await open(page, `${url}/app/allocations`)
    const panel = page.getByRole('region', { name: 'Liquidity' }).first()
    await panel.getByText(/held by operation \d+, until it is approved or rejected$/).waitFor()
    const facts = await panel.locator('dl').textContent()
    const [, total] = /Total, USD([\d,.]+)$/.exec(facts ?? '') ?? []
    expect(await panel.getByRole('row', { name: /^USDC/ }).textContent()).toContain(`${total} USDC`)
    await panel.getByRole('link', { name: /^operation \d+$/ }).click()
    await page
      .getByRole('dialog', { name: /^Operation \d+$/ })
      .getByText('2 approvals missing')
      .or(page.getByText('1 approval missing'))
      .waitFor()
  })

  test('the totals of the overview and of allocations add up from what is shown', async () => {
    const { url, memberOf } = fixture()
    const { page } = await memberOf('viewer')
    const units = (text: string) => toBaseUnits(/-?[\d,]+\.\d+/.exec(text)?.[0].replaceAll(',', '') ?? '', 6)!
    const cells = async (table: string, column: string) => {
      const heads = await page.getByRole('table', { name: table }).locator('th').allInnerTexts()
      const all = await page
        .getByRole('table', { name: table })
        .locator(`tbody td:nth-child(${heads.indexOf(column) + 1})`)
        .allInnerTexts()
      return all.map((text) => (text === '–' ? 0n : units(text)))
    }
    const plus = (amounts: readonly bigint[]) => amounts.reduce((total, each) => total + each, 0n)
    const parts = ['Liquid', 'Reserved', 'Deployed', 'Exiting']
    // The page reads them one after another: a block in between changes what is deployed.
    const doNotAddUp = async () => {
      await open(page, `${url}/`)
      const columns = await Promise.all(parts.map((column) => cells('Operational wallets', column)))
      const totals = await cells('Operational wallets', 'Total')
      expect(totals.length).toBeGreaterThan(1)
      expect(plus(columns[1]!)).toBeGreaterThan(0n)
      const stat = page.getByText('In all wallets, USD').locator('..')
      const [total, ...split] = (await stat.locator('.figures.whole').allInnerTexts()).map(units)
      const rest = await page.getByText(/that are not operational hold/).innerText()
      const sums = totals.map((_, at) => plus(columns.map((column) => column[at]!)))
      return [
        ...totals.map((each, at) => [each, sums[at]]),
        [total, plus(split)],
        [total, plus(totals) + units(rest)],
      ].filter(([one, other]) => one !== other)
    }
    await expect.poll(doNotAddUp).toEqual([])
    await page.setViewportSize(PHONE)
    expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false)
    await page.setViewportSize(DESKTOP)
  })

  test('a position that is being withdrawn is in the table as it is in the totals', async () => {
    const { url, memberOf } = fixture()
    const { page } = await memberOf('viewer')
    const unwinding = async (route: Route) => {
      const response = await route.fetch()
      const answer = await response.json()
      const { allocations, portfolioSummary } = answer.data
      allocations[0].status = 'UNWINDING'
      portfolioSummary.activeAllocations -= 1
      await route.fulfill({ response, json: answer })
    }
    await page.route(/\/api\/v1\/allocations\?includeUnwinding=true/, unwinding)
    await open(page, `${url}/`)
    await page.getByText(/^3 positions at .*, 1 being withdrawn$/).waitFor()
    await open(page, `${url}/app/allocations`)
    await page.getByRole('row', { name: /Unwinding/ }).waitFor()
    await page.unroute(/\/api\/v1\/allocations\?includeUnwinding=true/)

    // A filter changes the rows, never the totals; a block between two loads changes what positions are worth.
    const worth = async (query = '') => {
      await open(page, `${url}/app/allocations${query}`)
      return page.getByText('Worth now, USD').locator('..').locator('.figures').first().innerText()
    }
    await expect.poll(async () => [...new Set([await worth(), await worth('?status=CLOSED')])]).toHaveLength(1)
    expect(await page.getByText('of positions with a balance').count()).toBe(2)
  })

  test('the balances as of the end of a day add up, are in the address, and are saved as CSV', async () => {
    const { url, memberOf, dayBefore: day } = fixture()
    const { page } = await memberOf('viewer')
    await open(page, `${url}/app/wallets`)
    await fillDay(page, day)
    await page.getByText(/^At the end of .*, UTC$/).waitFor()
    await settled(page)
    expect(new URL(page.url()).searchParams.get('at')).toBe(day)
    const total = await page.getByText('In all wallets, USD').locator('..').locator('.figures').first().innerText()
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV', exact: true }).click(),
    ])
    expect(saved.suggestedFilename()).toBe(`balances-at-the-end-of-${day}.csv`)
    const [header = [], ...rows] = (await savedLines(saved)).map((line) => line.split(','))
    const totals = rows.map((cells) => toBaseUnits(cells[header.indexOf('Total')]!, 6)!)
    expect(totals.length).toBeGreaterThan(2)
    expect(totals.reduce((sum, each) => sum + each, 0n)).toBe(toBaseUnits(total, 6))
    expect(await barriers(page)).toEqual([])
    // While another day is read, a file would have its rows under the name of this one.
    const held = Promise.withResolvers<void>()
    await page.route(/\/api\/core\/balances\?at=/, async (route) => {
      await held.promise
      await route.continue()
    })
    await fillDay(page, new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10))
    const csv = page.getByRole('button', { name: 'CSV', exact: true })
    await expect.poll(() => csv.isDisabled()).toBe(true)
    held.resolve()
    await expect.poll(() => csv.isEnabled()).toBe(true)
    await page.unroute(/\/api\/core\/balances\?at=/)
    await page.setViewportSize(PHONE)
    expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false)
    expect(await barriers(page)).toEqual([])
    await page.setViewportSize(DESKTOP)
    await fillDay(page, today())
    await page.getByText(`The last day is ${lastDay()}: a day that is over, UTC`).waitFor()
    expect(await barriers(page)).toEqual([])
    await page.getByRole('button', { name: 'Back to now' }).click()
    await page.getByRole('tab', { name: 'Operational' }).waitFor()
  })

  test('the ledger entries of a wallet add up to its balances, and are saved as CSV', async () => {
    const { url, memberOf } = fixture()
    const { page } = await memberOf('viewer')
    await page.setViewportSize(DESKTOP)
    const wallet = await openWallet(page, url, 'Reserve')
    const facts = await wallet.locator('dl').first().textContent()
    await settled(page)
    await wallet.getByRole('button', { name: 'Show entries' }).click()
    const entries = wallet.getByRole('table', { name: 'Ledger entries', exact: true })
    await entries.getByRole('row').nth(1).waitFor()
    await settled(page)
    expect(await barriers(page)).toEqual([])
    const download = page.waitForEvent('download')
    await wallet.getByRole('region', { name: 'Ledger', exact: true }).getByRole('button', { name: 'CSV' }).click()
    const saved = await download
    expect(saved.suggestedFilename()).toBe('ledger-entries.csv')
    const [heading, ...lines] = await savedLines(saved)
    const column = heading!.split(',').indexOf('Liquid')
    const liquid = lines.reduce((sum, line) => sum + signed(line.split(',')[column]!), 0n)
    const shown = /Liquid([0-9,.]+)/.exec(facts!)![1]!
    expect(liquid).toBe(toBaseUnits(shown, 6))
  })

  test('the positions of the end of a day add up to its deployed balances, and its breaks are in the state that they had then', async () => {
    const { url, memberOf, dayBefore: day } = fixture()
    const { page } = await memberOf('viewer')
    const figure = (label: string) => page.getByText(label, { exact: true }).locator('..').locator('.figures').first()
    await open(page, `${url}/app/allocations`)
    await fillDay(page, day)
    await page.getByRole('region', { name: `Positions at the end of ${day}` }).waitFor()
    await settled(page)
    const value = await figure('Value, USD').innerText()
    expect(toBaseUnits(value, 6)).toBeGreaterThan(0n)
    expect(await barriers(page)).toEqual([])
    await page.setViewportSize(PHONE)
    expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false)
    await open(page, `${url}/app/reconciliation?at=${day}`)
    expect(await figure('Deployed, USD').innerText()).toBe(value)
    await page.getByText('No break until that day').waitFor()
    expect(await barriers(page)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false)
    await page.setViewportSize(DESKTOP)
  })

  test('an admin caps what Weir deposits, and a viewer reads the limits', async () => {
    const { url, memberOf } = fixture()
    const { page } = await memberOf('admin')
    await open(page, `${url}/app/venues?tab=limits`)
    await page.getByRole('switch', { name: 'Only some strategies' }).click()
    await page.getByText('Weir deposits nothing on its own').waitFor()
    expect(await barriers(page)).toEqual([])
    await page.getByRole('switch', { name: 'Only some strategies' }).click()
    await page.getByRole('button', { name: 'Add a cap' }).click()
    await page.getByLabel('Share of cap 1').fill('150')
    await page.getByText('Enter a percentage such as 25.00').waitFor()
    expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
    await page.getByLabel('Share of cap 1').fill('90')
    expect(await barriers(page)).toEqual([])
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Deposit limits saved.').waitFor()
    const { page: viewer } = await memberOf('viewer')
    await open(viewer, `${url}/app/venues?tab=limits`)
    await viewer.getByText('at most 90.00%').waitFor()
    expect(await viewer.getByRole('button', { name: 'Save' }).count()).toBe(0)
    expect(await barriers(viewer)).toEqual([])
  })

  test('a failing request of a key is found with what was wrong and what was sent', async () => {
    const { url, memberOf } = fixture()
    const { page } = await memberOf('viewer')
    await open(page, `${url}/app/activity?tab=errors`)
    await page.getByRole('row', { name: /POST \/v1\/ramp\/recipients/ }).click()
    const panel = page.getByRole('dialog', { name: 'API key error' })
    await panel.getByRole('row', { name: 'name must not be empty' }).waitFor()
    await panel.getByText('text of 0 characters').waitFor()
    expect(await barriers(page)).toEqual([])
  })

  test('the latest requests of a key are found with their id, all or those that failed', async () => {
    const { url, memberOf } = fixture()
    const { page } = await memberOf('viewer')
    await open(page, `${url}/app/activity?tab=keys`)
    const table = page.getByRole('table', { name: 'Latest requests' })
    const succeeded = table.getByRole('row', { name: /POST \/v1\/ramp\/recipients 201/ })
    const failed = table.getByRole('row', { name: /POST \/v1\/ramp\/recipients 400/ })
    await succeeded.first().waitFor()
    await failed.first().waitFor()
    await failed.first().getByRole('button', { name: /copy/i }).waitFor()
    expect(await barriers(page)).toEqual([])
    await page.getByRole('combobox', { name: 'Outcome' }).click()
    await page.getByRole('option', { name: 'Failed only' }).click()
    await succeeded.first().waitFor({ state: 'detached' })
    await failed.first().waitFor()
    await page.getByRole('combobox', { name: 'Key or service account' }).click()
    expect(await barriers(page)).toEqual([])
    await page.getByRole('option').first().click()
    await page.waitForURL(/program=key%3A\d+/)
    expect(await barriers(page)).toEqual([])
  })
}

/** An amount of a CSV in base units of USDC; an empty cell is zero. */
const signed = (cell: string): bigint =>
  cell.startsWith('-') ? -toBaseUnits(cell.slice(1), 6)! : (toBaseUnits(cell || '0', 6) ?? 0n)
