import { afterAll, afterEach, beforeAll, describe } from 'vitest'
import { chromiumPath } from './browser.ts'
import { type DashboardFixture, startDashboard } from './dashboard-fixture.ts'
import { printPages } from './print-pages.ts'

/** The start fills an organization, and some tests look for barriers dozens of times: a busy machine takes minutes. */
const TIMEOUT_MS = 400_000

/** Tests in one browser, on a service of their own, one group after the other; skipped loudly without Chromium. */
export function describeDashboard(
  name: string,
  ...groups: readonly ((fixture: () => DashboardFixture) => void)[]
): void {
  const path = chromiumPath()
  if (path === undefined) process.stderr.write('SKIPPED: there is no Chromium, so no page of the dashboard is tested\n')
  describe.skipIf(path === undefined)(name, { timeout: TIMEOUT_MS }, () => {
    let shared: DashboardFixture
    beforeAll(async () => {
      shared = await startDashboard(path!)
    }, TIMEOUT_MS)
    afterEach(async ({ task }) => {
      if (task.result?.state === 'fail') await printPages(shared.browser)
      await shared.rest()
    })
    afterAll(() => shared?.close())
    for (const tests of groups) tests(() => shared)
  })
}
