import { describeDashboard } from '../testing/describe-dashboard.ts'
import { agentTests } from './agent-tests.ts'
import { approverTests } from './approver-tests.ts'
import { developerTests } from './developer-tests.ts'
import { filterTests } from './filter-tests.ts'
import { findingTests } from './finding-tests.ts'
import { flowTests } from './flow-tests.ts'
import { linkTests } from './link-tests.ts'
import { longTests } from './long-tests.ts'
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

describeDashboard(
  'the dashboard in a browser',
  pageTests,
  openedTests,
  roleTests,
  linkTests,
  stateTests,
  treasurerTests,
  findingTests,
  viewTests,
  rampTests,
  approverTests,
  riskTests,
  agentTests,
  developerTests,
  flowTests,
  visitorTests,
  thresholdTests,
  manyTests,
  longTests,
  filterTests,
)
