import { expect, test } from 'vitest'
import { barriers } from '../testing/barriers.ts'
import type { DashboardFixture } from '../testing/dashboard-fixture.ts'
import { open } from '../testing/pages.ts'

const CHANGED = "new BroadcastChannel('weir').postMessage('data')"
const LIMITED = { status: 429, headers: { 'retry-after': '1' }, json: { code: 'RATE_LIMITED', message: 'Too many.' } }

const LISTS = {
  'a table': { path: '/app/members', reads: '**/api/core/members*', stays: /ada@/ },
  'a part of a page': { path: '/app/settings', reads: '**/api/core/change-policy', stays: /cooling-off/i },
} as const

/** How a page follows what changes, and what it says when it cannot. */
export function refreshTests(fixture: () => DashboardFixture): void {
  test.each(Object.entries(LISTS))(
    '%s whose refresh is refused says how old it is, and is read again',
    async (_, list) => {
      const { url, memberOf } = fixture()
      const { page } = await memberOf('owner')
      await open(page, url + list.path)
      await page.route(list.reads, (route) => route.fulfill(LIMITED), { times: 2 })
      await page.evaluate(CHANGED)
      const notice = page.getByText('Could not be updated')
      await notice.first().waitFor()
      await page.getByText(list.stays).first().waitFor()
      expect(await barriers(page)).toEqual([])
      // Nobody has to do anything, and nothing else happens.
      await notice.first().waitFor({ state: 'detached' })
    },
  )

  test('a first read that is refused says so, and shows what it reads when it may', async () => {
    const { url, memberOf } = fixture()
    const { page } = await memberOf('owner')
    await page.route(LISTS['a table'].reads, (route) => route.fulfill(LIMITED), { times: 2 })
    await page.goto(`${url}/app/members`)
    await page.getByText('RATE_LIMITED').waitFor()
    await page.getByRole('row', { name: /ada@/ }).waitFor()
  })

  test('a page follows changes that never pause', async () => {
    const { url, memberOf } = fixture()
    const { page } = await memberOf('owner')
    await open(page, `${url}/app/members`)
    await page.evaluate(`setInterval(() => ${CHANGED}, 100)`)
    await page.waitForRequest(LISTS['a table'].reads)
  })

  test('a page of a list that has become shorter leads back to the first', async () => {
    const { url, memberOf } = fixture()
    const { page } = await memberOf('owner')
    await open(page, `${url}/app/members?offset=25`)
    await page.getByText('No rows on this page').waitFor()
    await page.getByRole('button', { name: 'Previous' }).click()
    await page.getByRole('row', { name: /ada@/ }).waitFor()
  })

  test('a webhook that has recovered shows no response of its failure', async () => {
    const { url, memberOf } = fixture()
    const { page } = await memberOf('owner')
    let failingSince: string | null = '2026-01-01T00:00:00.000Z'
    await page.route(/core\/webhooks\?/, async (route) => {
      const response = await route.fetch()
      const answer = await response.json()
      const data = answer.data.map((hook: object) => ({ ...hook, failingSince }))
      await route.fulfill({ response, json: { ...answer, data } })
    })
    const attempts = [{ at: failingSince, statusCode: 503, error: null, durationMs: 1 }]
    await page.route(/deliveries\?status=pending&limit=100/, (route) =>
      route.fulfill({ json: { success: true, data: [{ id: 1, attempts }] } }),
    )
    await open(page, `${url}/app/activity?tab=webhooks`)
    await page.locator('tbody tr').first().click()
    const panel = page.getByRole('dialog', { name: 'Webhook' })
    const answer = panel.locator('dt', { hasText: 'Last response' })
    await answer.waitFor()
    failingSince = null
    await page.evaluate(CHANGED)
    await answer.waitFor({ state: 'detached' })
  })

  test('the overview says that it could not read what waits, and does not call it nothing', async () => {
    const { url, memberOf } = fixture()
    const { page } = await memberOf('viewer')
    const isQueue = ({ pathname, search }: URL) => pathname.endsWith('/operations/queue') && search.includes('PENDING')
    await page.route(isQueue, (route) =>
      route.fulfill({ status: 409, json: { code: 'CONFLICT', message: 'Not now.' } }),
    )
    await page.goto(url)
    const waits = page.getByRole('region', { name: 'Waits for approval' })
    await waits.getByText('Not now.').waitFor()
    expect(await waits.getByText('Nothing waits for you').isVisible()).toBe(false)
    await page.unroute(isQueue)
    await waits.getByRole('button', { name: 'Try again' }).click()
    await waits.getByText('Not now.').waitFor({ state: 'detached' })
  })
}
