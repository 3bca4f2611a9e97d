import type { RouteOptions } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { everyRoute } from '../testing/surfaces/every-route.ts'

/**
 * Routes of owners and admins, and of the ramp, that change something and need no approval under any change policy, each
 * with the reason. A new route either names its kind in `config.change` or has its line here.
 */
const NEEDS_NO_APPROVAL: Readonly<Record<string, string>> = {
  acceptBreak: 'records what a person knows about a difference; it moves nothing',
  archiveRecipient: 'stops payments to a recipient, which must never wait',
  cancelAwaitedWithdrawal: 'stops withdrawing for a request; it moves nothing',
  cancelChangeRequest: 'ends a request of one’s own',
  changeBufferSettings: 'moves nothing but through operations, which the approval policy governs',
  changeWalletProfile: 'groups wallets, and gives nobody access',
  checkOrganizationKyb: 'asks the provider for the state of a verification',
  claimSsoDomain: 'names a domain; who signs in follows from the identity provider',
  createCoreAllocation: 'plans an operation, which the approval policy governs',
  createWalletByAgent: 'asks the custody agent, which proves the key of the wallet',
  createWalletProfile: 'groups wallets, and gives nobody access',
  deleteApiKey: 'revokes access, which must never wait',
  deleteServiceAccount: 'revokes access, which must never wait',
  deleteWalletProfile: 'revokes access',
  deleteWebhook: 'stops sending, which must never wait',
  endMemberSessions: 'revokes access, which must never wait',
  eraseRecipient: 'removes personal data of an archived recipient, and pays nobody',
  importOrgWallet: 'watches a wallet; sending to it is another change',
  labelOrgWallet: 'names a wallet',
  monitorWallet: 'moves nothing but through operations, which the approval policy governs',
  replayWebhookDelivery: 'sends an event again to where it was sent',
  revokeMemberInvitation: 'revokes access, which must never wait',
  rotateWebhookSecret: 'revokes a secret, which must never wait; the receiver stays',
  simulateApprovalOfOrganization: 'sandbox only',
  simulateApprovalOfRecipient: 'sandbox only',
  simulateOfframp: 'sandbox only',
  simulateOnramp: 'sandbox only',
  simulateRecipientOfframp: 'sandbox only',
  simulateRecipientOnramp: 'sandbox only',
  simulateRejectionOfOrganization: 'sandbox only',
  simulateRejectionOfRecipient: 'sandbox only',
  stopSandboxAgent: 'revokes access, which must never wait',
  startOrganizationKyb: 'verifies the organization itself',
  testWebhook: 'sends an event to where events are sent',
  verifySsoDomain: 'proves a domain; who signs in follows from the identity provider',
  withdrawCoreAllocation: 'plans an operation, which the approval policy governs',
}

let routes: RouteOptions[]
let close: () => Promise<void>
beforeAll(async () => {
  const every = await everyRoute()
  routes = every.routes
  close = () => every.app.close()
})
afterAll(() => close?.())

const nameOf = ({ schema }: RouteOptions) => (schema as { operationId?: string } | undefined)?.operationId ?? '?'

/** Whether a member with rights over others, or a key of the ramp, changes something by it. */
function isPowerful({ method, config }: RouteOptions): boolean {
  const access = config?.access
  if (typeof access !== 'object' || ['GET', 'HEAD'].includes(String(method))) return false
  if (access.surface === 'v1') return access.needs === 'write' && access.permission === 'ramp'
  return access.surface === 'core' && !access.roles.includes('approver')
}

test('every powerful route names its kind of change, or has a reason for none', () => {
  const free = routes.filter((route) => isPowerful(route) && route.config?.change === undefined)
  expect(free.map(nameOf).toSorted()).toEqual(Object.keys(NEEDS_NO_APPROVAL).toSorted())
})

test('only powerful routes name a kind of change', () => {
  const others = routes.filter((route) => route.config?.change !== undefined && !isPowerful(route))
  expect(others.map(nameOf)).toEqual([])
})
