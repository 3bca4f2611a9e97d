/** Paths of the API that several files of a page use. */
export const WEBHOOKS = '/api/core/webhooks'
export const ALLOCATIONS = '/api/v1/allocations'
export const API_KEYS = '/api/core/apikeys'
export const SERVICE_ACCOUNTS = '/api/core/service-accounts'
export const MEMBERS = '/api/core/members'
export const APPROVAL_POLICY = '/api/core/approval-policy'
export const WALLETS = '/api/core/wallets'
export const ORG_WALLETS = '/api/core/org-wallets'
export const MONITORED = '/api/core/wallets/monitored'
export const WALLET_STATS = '/api/core/wallets/stats'
export const HISTORY = '/api/core/operations/history'
export const QUEUE = '/api/core/operations/queue'
/** The first operations that wait for approval; the total comes with them. The menu and the overview share the read. */
export const AWAITING = `${QUEUE}?status=PENDING_APPROVAL&limit=5&offset=0`
export const CHANGE_REQUESTS = '/api/core/change-requests'
export const BREAKERS = '/api/core/circuit-breakers'
export const RECIPIENTS = '/v1/ramp/recipients'
export const PAYMENTS = '/v1/ramp/transactions'
export const SANDBOX_AGENTS = '/api/core/sandbox/agents'
/** Shared by the page and by everything that waits for an agent. */
export const HEALTH = '/api/core/organization/health'
/** The first operations that are ready to sign, by an agent or by a client. */
export const EXECUTING = `${QUEUE}?status=EXECUTING&limit=25&offset=0`
