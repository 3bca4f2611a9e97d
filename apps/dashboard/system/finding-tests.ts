import { expect, test } from 'vitest'
import { barriers } from '../testing/barriers.ts'
import type { DashboardFixture } from '../testing/dashboard-fixture.ts'
import { open } from '../testing/pages.ts'
import { savedLines } from '../testing/saved-lines.ts'

/** How one finds what happened. */
export function findingTests(fixture: () => DashboardFixture): void {
  test('events are found by name, operation and wallet among all of them, and the CSV has every one that matches', async () => {
    const { url, memberOf } = fixture()
    const { page } = await memberOf('viewer')
    await open(page, `${url}/app/activity`)
    await page.getByRole('searchbox', { name: 'Operation ID' }).fill('1')
    await page
      .getByRole('row', { name: /allocation\.created/ })
      .first()
      .waitFor({ state: 'detached' })
    await page.getByRole('row', { name: /operation\.created operationId 1,/ }).waitFor()
    const about = await page.locator('tbody tr').allInnerTexts()
    expect(about.every((text) => text.includes('operationId 1,'))).toBe(true)
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV', exact: true }).click(),
    ])
    const lines = await savedLines(saved)
    expect(lines).toHaveLength(about.length + 1)
    await page.getByRole('button', { name: 'Clear Operation ID' }).click()
    await page.getByRole('combobox', { name: 'Wallet' }).fill('payouts')
    await page.getByRole('option', { name: /^Payouts/ }).click()
    await page
      .getByRole('row', { name: /allocation\.created/ })
      .first()
      .waitFor()
    await open(page, `${page.url()}&event=break.opened`)
    await page.getByText('No event matches').waitFor()
    expect(await barriers(page)).toEqual([])
    await page.getByRole('button', { name: 'Show all' }).click()
    await page
      .getByRole('row', { name: /operation\.completed/ })
      .first()
      .waitFor()

    // From an operation, its events are a click away.
    await open(page, `${url}/app/operations?open=1`)
    await page.getByRole('link', { name: 'Its events' }).click()
    await page.getByRole('row', { name: /operation\.created/ }).waitFor()
    expect(await page.getByRole('searchbox', { name: 'Operation ID' }).inputValue()).toBe('1')
  })

  const MEMBERS = { path: '/app/members', name: 'Member or email', nothing: 'Nobody matches' }
  const KEYS = { path: '/app/developers', name: 'Key, or how it ends', nothing: 'No key matches' }
  const HOOKS = {
    path: '/app/activity?tab=webhooks',
    name: 'Address or description',
    nothing: 'No webhook matches',
  }
  const RECIPIENTS = {
    path: '/app/ramp?tab=recipients',
    name: 'Recipient, or its id',
    nothing: 'No recipient matches',
  }
  const BREAKS = { path: '/app/reconciliation', name: 'Label or address', nothing: 'No break matches' }
  test.each([
    { ...MEMBERS, text: 'olg', row: /olga@/ },
    { ...KEYS, text: 'serv', row: /Treasury service/ },
    { ...HOOKS, text: 'BASALT.example', row: /hooks\.basalt/ },
    { ...RECIPIENTS, text: 'supp', row: /Granite Supplies/ },
    // The organization has no break.
    { ...BREAKS, text: undefined, row: undefined },
  ])('$path is filtered on the service by a text that its address holds', async (list) => {
    const { path, name, text, row, nothing } = list
    const { url, memberOf } = fixture()
    const { page } = await memberOf('viewer')
    await open(page, url + path)
    const search = page.getByRole('searchbox', { name })
    if (text !== undefined) {
      await search.fill(text)
      await page.waitForURL(({ searchParams }) => [...searchParams.values()].includes(text))
      await page.getByText('1–1 of 1').waitFor()
      await open(page, page.url())
      expect(await search.inputValue()).toBe(text)
      await page.getByRole('row', { name: row }).waitFor()
    }
    await search.fill('zz')
    await page.getByText(nothing).waitFor()
    expect(await barriers(page)).toEqual([])
    await page.getByRole('button', { name: `Clear ${name}` }).click()
    await page.getByText(nothing).waitFor({ state: 'detached' })
  })

  test('the CSV of security events has all of them, not the page that is shown', async () => {
    const { url, memberOf, as } = fixture()
    const { page } = await memberOf('admin')
    const { email } = as('viewer')
    for (const password of ['wrong', 'wrong again'])
      await page.request.post(`${url}/api/core/auth/login`, { data: { email, password } })
    await page.route('**/api/core/security-events?limit=*', async (route) => {
      const response = await route.fetch()
      const answer = await response.json()
      const [newest] = answer.data.events
      await route.fulfill({ response, json: { ...answer, data: { events: [newest], nextCursor: newest.id } } })
    })
    await open(page, `${url}/app/settings?tab=events`)
    const [whole, saved] = await Promise.all([
      page.waitForRequest((request) => request.headers().accept === 'application/x-ndjson'),
      page.waitForEvent('download'),
      page.getByRole('region', { name: 'Security events' }).getByRole('button', { name: 'CSV', exact: true }).click(),
    ])
    expect(new URL(whole.url()).search).toBe('')
    const lines = await savedLines(saved)
    expect(lines.length).toBeGreaterThan(2)
    await page.unroute('**/api/core/security-events?limit=*')
  })
}
