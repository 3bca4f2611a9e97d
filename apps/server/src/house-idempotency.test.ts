import type { RouteOptions } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { everyRoute } from '../testing/surfaces/every-route.ts'

/** POST routes without an idempotency key (contract 5), each with why a repetition does no harm. */
const NEEDS_NO_KEY: Readonly<Record<string, string>> = {
  addPasskey: 'its challenge works once',
  beginPasskey: 'a challenge; the newest counts',
  beginPasskeySignIn: 'a challenge; the newest counts',
  beginStepUp: 'a challenge; the newest counts',
  beginTotp: 'a secret that has no effect before it is confirmed; the newest counts',
  callSandboxRpc: 'speaks the protocol of a node, which has no such keys',
  changeEmail: 'sends a link again; the newest counts',
  changePassword: 'a repetition needs the new password',
  checkOrganizationKyb: 'reads the state at the provider',
  confirmEmailVerification: 'its token works once',
  confirmPasswordReset: 'its token works once',
  confirmTotp: 'its code works once',
  dryRunApprovalPolicy: 'changes nothing',
  eraseOrganization: 'a repetition is refused while the first waits',
  evaluateApprovalPolicy: 'changes nothing',
  findAllocations: 'reads',
  logOut: 'ends a session that has ended',
  pollActions: 'leases expire, and belong to the agent that polls',
  pollTransactions: 'leases expire, and belong to the agent that polls',
  previewRebalance: 'changes nothing',
  renewLease: 'the same lease, longer',
  renewRecoveryCodes: 'the newest codes count, and are shown once',
  requestEmailVerification: 'sends a link again; the newest counts',
  requestPasswordReset: 'sends a link again; the newest counts',
  sendKybForm: 'the form of a browser; a verification is handed in once',
  stepUp: 'its code works once',
  takeProviderEvents: "the provider's events have ids of their own",
  validateApiKey: 'reads',
  verifySsoDomain: 'looks for a proof again',
}

let routes: RouteOptions[]
let close: () => Promise<void>
beforeAll(async () => {
  const every = await everyRoute()
  routes = every.routes
  close = () => every.app.close()
})
afterAll(() => close?.())

test('every POST takes an idempotency key, or its line here says why a repetition does no harm', () => {
  const without = routes
    .filter(({ method, config }) => method === 'POST' && config?.idempotent === undefined)
    .map(({ schema, url }) => (schema as { operationId?: string } | undefined)?.operationId ?? url)
  expect(without.toSorted()).toEqual(Object.keys(NEEDS_NO_KEY).toSorted())
})
