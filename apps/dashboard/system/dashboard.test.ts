import { afterAll, afterEach, beforeAll, describe } from 'vitest'
import { chromiumPath } from '../testing/browser.ts'
import { type DashboardFixture, startDashboard } from '../testing/dashboard-fixture.ts'
import { printPages } from '../testing/print-pages.ts'
import { agentTests } from './agent-tests.ts'
import { approverTests } from './approver-tests.ts'
import { developerTests } from './developer-tests.ts'
import { findingTests } from './finding-tests.ts'
import { flowTests } from './flow-tests.ts'
import { linkTests } from './link-tests.ts'
import { manyTests } from './many-tests.ts'
import { openedTests } from './opened-tests.ts'
import { pageTests } from './page-tests.ts'
import { rampTests } from './ramp-tests.ts'
import { riskTests } from './risk-tests.ts'
import { roleTests } from './role-tests.ts'
import { stateTests } from './state-tests.ts'
import { thresholdTests } from './threshold-tests.ts'
import { treasurerTests } from './treasurer-tests.ts'
import { viewTests } from './view-tests.ts'
import { visitorTests } from './visitor-tests.ts'

const path = chromiumPath()
if (path === undefined) process.stderr.write('SKIPPED: there is no Chromium, so no page of the dashboard is tested\n')

describe.skipIf(path === undefined)('the dashboard in a browser', () => {
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

  pageTests(fixture)
  openedTests(fixture)
  roleTests(fixture)
  linkTests(fixture)
  stateTests(fixture)
  treasurerTests(fixture)
  findingTests(fixture)
  viewTests(fixture)
  rampTests(fixture)
  approverTests(fixture)
  riskTests(fixture)
  agentTests(fixture)
  developerTests(fixture)
  flowTests(fixture)
  visitorTests(fixture)
  thresholdTests(fixture)
  manyTests(fixture)
})
