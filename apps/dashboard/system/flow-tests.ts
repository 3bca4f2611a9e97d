import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished } from 'vitest'
import type { DashboardFixture } from '../testing/dashboard-fixture.ts'
import { type FlowOrganization, flowOrganization } from '../testing/flow-organization.ts'
import { buildFlows } from './build-flows.ts'
import { changeFlows } from './change-flows.ts'
import { moneyFlows } from './money-flows.ts'
import { peopleFlows } from './people-flows.ts'
import { sandboxFlows } from './sandbox-flows.ts'
import { settingsFlows } from './settings-flows.ts'

/** What people change in the dashboard, in one organization and one page, each effect checked over the API. */
export function flowTests(fixture: () => DashboardFixture): void {
  describe('a change in the dashboard', () => {
    let shared: FlowOrganization
    beforeAll(async () => {
      shared = await flowOrganization(fixture())
    })
    // Not in `afterEach`, where a failure would skip those of the surrounding suite.
    beforeEach(() =>
      onTestFinished(() => {
        // An account that needs a second person is refused at first.
        const expected = /status of (?:404|409)|status of 403 .*\/offramp-accounts$/
        expect(shared.problems.splice(0).filter((each) => !expected.test(each))).toEqual([])
      }),
    )
    afterAll(() => shared?.page.context().close())
    const flow = () => shared

    moneyFlows(fixture, flow)
    peopleFlows(fixture, flow)
    buildFlows(fixture, flow)
    changeFlows(fixture, flow)
    settingsFlows(fixture, flow)
    sandboxFlows(fixture, flow)
  })
}
