import { describeDashboard } from '../testing/describe-dashboard.ts'
import { draftTests } from './draft-tests.ts'
import { fieldTests } from './field-tests.ts'
import { refreshTests } from './refresh-tests.ts'
import { sessionTests } from './session-tests.ts'
import { shownTests } from './shown-tests.ts'

/** Its people sign in with their passwords alone. */
describeDashboard(
  'sessions, drafts and refreshes in a browser',
  sessionTests,
  draftTests,
  fieldTests,
  refreshTests,
  shownTests,
)
