import { afterAll, afterEach, beforeAll, describe } from 'vitest'
import { chromiumPath } from '../testing/browser.ts'
import { type DashboardFixture, startDashboard } from '../testing/dashboard-fixture.ts'
import { printPages } from '../testing/print-pages.ts'
import { draftTests } from './draft-tests.ts'
import { fieldTests } from './field-tests.ts'
import { refreshTests } from './refresh-tests.ts'
import { sessionTests } from './session-tests.ts'

const path = chromiumPath()
if (path === undefined) process.stderr.write('SKIPPED: there is no Chromium, so no page of the dashboard is tested\n')

/** On a service of their own: its people sign in with their passwords alone. */
describe.skipIf(path === undefined)('sessions, drafts and refreshes in a browser', () => {
  let shared: DashboardFixture
  beforeAll(async () => {
    shared = await startDashboard(path!)
  }, 120_000)
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await printPages(shared.browser)
    await shared.rest()
  })
  afterAll(() => shared?.close())
  const fixture = () => shared

  sessionTests(fixture)
  draftTests(fixture)
  fieldTests(fixture)
  refreshTests(fixture)
})
