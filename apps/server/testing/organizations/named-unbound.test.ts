import { loadModule } from 'libpg-query'
import { expect, inject, test } from 'vitest'
import { createActionPolls } from '../../src/agents/poll-actions.ts'
import { authenticateKey, generateKey, KeyErrors, KeyRequests, KeyUsage } from '../../src/identity/index.ts'
import { findSsoRequirement } from '../../src/identity/members/sso-requirement.ts'
import { hostEvent } from '../../src/identity/security-events/host-event.ts'
import { SecurityEvents } from '../../src/identity/security-events/security-events.ts'
import { authenticateServiceAccount } from '../../src/identity/service-accounts/authenticate-service-account.ts'
import { authenticateCookie } from '../../src/identity/sessions/authenticate-cookie.ts'
import { countClaimable } from '../../src/operations/leasing/claim-transaction.ts'
import { readPlanningState } from '../../src/operations/planning/read-planning-state.ts'
import { applyOnboardingEvent } from '../../src/ramp/events/apply-onboarding-event.ts'
import { insertRampTransaction, lockRampTransaction } from '../../src/ramp/transactions/advance-ramp-transaction.ts'
import { advanceSend, hasNeverReceivedGas, nextNonce } from '../../src/sandbox/treasury/treasury-sends.ts'
import { renewClaims } from '../../src/surfaces/http/idempotency/claims.ts'
import { createEventFeed } from '../../src/webhooks/events/event-feed.ts'
import { identityFixture, organization } from '../identity/identity-fixture.ts'
import { countStatements } from '../index.ts'
import { useFixture } from '../use-fixture.ts'
import { isNamed, NAMED_UNBOUND } from './named-unbound.ts'
import { readingsOf, unboundTables } from './unbound-tables.ts'

const parts = useFixture(identityFixture)
/** Each of these looks for what nobody has. */
const NOTHING = { subject: 'none', sequence: 1, status: 'approved', network: { blockchain: 'BASE' } } as never
const WALLET = { organizationId: 1, walletId: 1, blockchain: 'BASE', address: '0x1' } as never

/** Waits for an action until the process has looked once whether there is one. */
async function waitForAction(organizationId: number): Promise<void> {
  const stop = new AbortController()
  let readings = 0
  const now = () => {
    readings += 1
    if (readings === 2) stop.abort()
    return parts.clock.now()
  }
  const poll = createActionPolls({ ...parts, clock: { now } } as never)
  await poll({ organizationId, leaseDurationMs: 1_000, signal: stop.signal })
}

async function useAll(organizationId: number, apiKey: string): Promise<void> {
  const { db, clock } = parts
  await authenticateKey(parts, apiKey)
  await authenticateServiceAccount(parts, `sa_${parts.environment}_${'0'.repeat(36)}`)
  await authenticateCookie(parts, 'none')
  const usage = new KeyUsage(parts)
  usage.record({ organizationId, keyId: 1 })
  usage.record({ organizationId, keyId: 1, isAccountSecret: true })
  await usage.flush()
  const securityEvents = new SecurityEvents(parts)
  securityEvents.record(hostEvent({ type: 'credential_refused', organizationId }))
  await securityEvents.flush()
  const errors = new KeyErrors(parts)
  const facts = { reason: null, issues: [], sent: {} }
  const failed = { method: 'GET', route: '/v1/wallets', code: 'NOT_FOUND', status: 404, requestId: 'one', facts }
  errors.record({ organizationId, keyId: 1, ...failed })
  await errors.flush()
  const requests = new KeyRequests(parts)
  const answered = { actorType: 'key', actorId: 1, requestId: 'one', method: 'GET' } as const
  const route = '/v1/wallets'
  requests.record({ organizationId, ...answered, route, path: route, status: 200, code: null, durationMs: 1 })
  await requests.flush()
  await waitForAction(organizationId)
  await countClaimable(db, [], [], clock.now())
  const events = createEventFeed(parts).subscribe(organizationId)
  for (let waits = 1; waits <= 2; waits += 1) await events.waitForEvents(new AbortController().signal, 60_000)
  events.unsubscribe()
  await renewClaims(db, [], clock.now())
  await findSsoRequirement(db, 'member@acme.example', clock.now())
  await hasNeverReceivedGas(db, NOTHING, '0x1')
  await advanceSend(db, '0x1', { event: 'succeeded', blockNumber: 1 })
  await db.transaction().execute(async (tx) => {
    await readPlanningState(tx, WALLET, '0x1', { nonces: null } as never)
    await nextNonce(tx, NOTHING, 0, '0x1')
    await applyOnboardingEvent({ clock } as never, tx, NOTHING)
    await lockRampTransaction(tx, undefined as never, 'none')
    const transfer = { accountReference: 'none' } as never
    await insertRampTransaction(tx, undefined as never, { reference: 'none', transfer, at: clock.now() })
  })
}

test('each unbound statement that is named is still sent, reads its tables of all, and has a reason', async () => {
  await loadModule()
  const { organizationId } = (await organization(parts)).owner
  const { apiKey } = await generateKey(parts, { organizationId, name: 'Key' })
  const { texts } = await countStatements(() => useAll(organizationId, apiKey))
  const unbound = texts.flatMap((text) => {
    const own = Array.from({ length: 40 }, (_, at) => `$${at + 1}`)
    return unboundTables(readingsOf(text, inject('joinCatalog')), own).filter((table) => isNamed(table, text))
  })
  expect([...new Set(unbound)].sort()).toEqual([...new Set(NAMED_UNBOUND.flatMap(({ tables }) => tables))].sort())
  for (const { has, why } of NAMED_UNBOUND) {
    expect(
      texts.filter((text) => text.replace(/\s+/g, ' ').includes(has)),
      has,
    ).not.toEqual([])
    expect(why).toMatch(/\w+ \w+/)
  }
})
