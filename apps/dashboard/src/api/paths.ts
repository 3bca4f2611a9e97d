/** Paths of the API that several files of a page use. */
export const WEBHOOKS = '/api/core/webhooks'
export const ALLOCATIONS = '/api/v1/allocations'
export const API_KEYS = '/api/core/apikeys'
export const SERVICE_ACCOUNTS = '/api/core/service-accounts'
export const MEMBERS = '/api/core/members'
export const APPROVAL_POLICY = '/api/core/approval-policy'
export const PAYMENTS = '/v1/ramp/transactions'
