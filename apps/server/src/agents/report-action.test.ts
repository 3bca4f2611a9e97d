// Also tested elsewhere: over HTTP with its leases (surfaces/core/agent/custody.test.ts), and an agent that is killed
// at each step of it (apps/agent/system/interruptions.test.ts).
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { beforeEach, expect, test } from 'vitest'
import { useStore } from '../../testing/operations/use-store.ts'
import { inTransaction, type Tx } from '../database/index.ts'
import { systemRandomSource } from '../kernel/index.ts'
import type { AgentParts } from './parts.ts'
import { createActionPolls, type LeasedAction } from './poll-actions.ts'
import { type ActionSuccess, reportActionSuccess } from './report-action.ts'
import { requestWallet } from './request-wallet.ts'

const store = useStore()
let parts: AgentParts
let organizationId: number
let actionId: number
let leased: LeasedAction

beforeEach(async () => {
  parts = { ...store.parts, random: systemRandomSource }
  organizationId = await store.organization()
  const requested = await requestWallet(parts, { organizationId, blockchain: 'polygon', label: 'Cold' })
  expect(requested).toMatchObject({ status: 'PENDING', payload: { blockchain: 'polygon', label: 'Cold' } })
  actionId = requested.actionId
  leased = await lease()
})

const LEASE_MS = 30_000
async function lease(): Promise<LeasedAction> {
  const poll = createActionPolls(parts)
  const found = await poll({ organizationId, leaseDurationMs: LEASE_MS, signal: AbortSignal.abort() })
  if (found === undefined) throw new Error('there is no action to lease')
  return found
}

const newAddress = () => privateKeyToAccount(generatePrivateKey()).address
const report = (address: string, by = organizationId) =>
  reportActionSuccess(parts, { organizationId: by, actionId, result: { address } })
const wallets = () =>
  store.db.selectFrom('wallets').select(['address', 'label']).where('organization_id', '=', organizationId).execute()

test('a success registers the key as a wallet with its label, and the same report returns the same result', async () => {
  const address = newAddress()
  const first = await report(address)
  expect(first).toMatchObject({ status: 'SUCCESS', result: { address } })
  expect(await report(address)).toEqual(first)
  expect(await wallets()).toEqual([{ address, label: 'Cold' }])
})

test('a second report with another address is CONFLICT and registers no wallet', async () => {
  const address = newAddress()
  await report(address)
  await expect(report(newAddress())).rejects.toMatchObject({ code: 'CONFLICT' })
  expect(await wallets()).toEqual([{ address, label: 'Cold' }])
})

test('one of two addresses reported at the same moment counts, and the other is no wallet', async () => {
  const results = await Promise.allSettled([report(newAddress()), report(newAddress())])
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect(await wallets()).toHaveLength(1)
})

test('a malformed address is INVALID_ADDRESS, another organization’s action NOT_FOUND; the action stays pending', async () => {
  await expect(report('0x12')).rejects.toMatchObject({ code: 'INVALID_ADDRESS' })
  const other = await store.organization()
  await expect(report(newAddress(), other)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect(await wallets()).toEqual([])
  expect((await report(newAddress())).status).toBe('SUCCESS')
})

test('an action that was never leased cannot succeed', async () => {
  const { actionId: waiting } = await requestWallet(parts, { organizationId, blockchain: 'polygon', label: 'Cold' })
  const result = { address: newAddress() }
  for (const leaseToken of [undefined, leased.leaseToken]) {
    const reported = reportActionSuccess(parts, { organizationId, actionId: waiting, result, leaseToken })
    await expect(reported).rejects.toMatchObject({ code: 'LEASE_LOST' })
  }
  expect(await wallets()).toEqual([])
})

test('after the lease passed to another agent, a report that names a lease must name that one', async () => {
  store.clock.advance(LEASE_MS)
  const { leaseToken } = await lease()
  const result = { address: newAddress() }
  for (const token of [leased.leaseToken, 'lease_of_nobody']) {
    const reported = reportActionSuccess(parts, { organizationId, actionId, result, leaseToken: token })
    await expect(reported).rejects.toMatchObject({ code: 'LEASE_LOST' })
  }
  expect(await wallets()).toEqual([])
  const reported = await reportActionSuccess(parts, { organizationId, actionId, result, leaseToken })
  expect(reported).toMatchObject({ status: 'SUCCESS' })
})

test('without a token the key counts although the lease passed on, and the other agent’s key is refused', async () => {
  store.clock.advance(LEASE_MS)
  const { leaseToken } = await lease()
  const first = newAddress()
  expect(await report(first)).toMatchObject({ status: 'SUCCESS', result: { address: first } })
  const other = reportActionSuccess(parts, { organizationId, actionId, result: { address: newAddress() }, leaseToken })
  await expect(other).rejects.toMatchObject({ code: 'CONFLICT' })
  expect(await wallets()).toHaveLength(1)
})

test('a lease that passes on while the report waits for its transaction is lost', async () => {
  const late = async <R>(work: (tx: Tx) => Promise<R>): Promise<R> => {
    store.clock.advance(LEASE_MS)
    expect((await lease()).leaseToken).not.toBe(leased.leaseToken)
    return inTransaction(parts.db, work)
  }
  const { leaseToken } = leased
  const input = { organizationId, actionId, leaseToken, result: { address: newAddress() } }
  await expect(reportActionSuccess(parts, input, late)).rejects.toMatchObject({ code: 'LEASE_LOST' })
  expect(await wallets()).toEqual([])
})

test('a report with a proof needs the new key’s signature over the challenge of this lease', async () => {
  const key = privateKeyToAccount(generatePrivateKey())
  const { challenge, leaseToken } = leased
  const signature = await key.signMessage({ message: challenge })
  const proved = (more: Partial<ActionSuccess>) =>
    reportActionSuccess(parts, {
      organizationId,
      actionId,
      result: { address: key.address, signature },
      leaseToken,
      needsProof: true,
      ...more,
    })
  await expect(proved({ leaseToken: undefined })).rejects.toMatchObject({ code: 'LEASE_LOST' })
  const unproved = { details: { issues: [{ path: 'result.signature' }] } }
  await expect(proved({ result: { address: key.address } })).rejects.toMatchObject(unproved)
  await expect(proved({ result: { address: newAddress(), signature } })).rejects.toMatchObject(unproved)
  const other = await key.signMessage({ message: challenge.replace(`action ${actionId}`, `action ${actionId + 1}`) })
  await expect(proved({ result: { address: key.address, signature: other } })).rejects.toMatchObject(unproved)
  // Also where the proof is optional: a wrong one is no proof.
  const optional = proved({ needsProof: false, result: { address: newAddress(), signature } })
  await expect(optional).rejects.toMatchObject(unproved)
  expect(await wallets()).toEqual([])
  expect(await proved({ result: { address: key.address.toLowerCase(), signature } })).toMatchObject({
    status: 'SUCCESS',
  })
  expect(await wallets()).toEqual([{ address: key.address, label: 'Cold' }])
})

test('the challenge of an earlier lease proves nothing', async () => {
  const key = privateKeyToAccount(generatePrivateKey())
  const signature = await key.signMessage({ message: leased.challenge })
  store.clock.advance(LEASE_MS)
  const { challenge, leaseToken } = await lease()
  expect(challenge).not.toBe(leased.challenge)
  const result = { address: key.address, signature }
  const reported = reportActionSuccess(parts, { organizationId, actionId, result, leaseToken, needsProof: true })
  await expect(reported).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
})
