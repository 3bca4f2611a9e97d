// Also tested in: surfaces/core/agent/agent-routes.test.ts (over HTTP).
import { beforeEach, expect, test } from 'vitest'
import { createTestAgent, type TestAgent } from '../../../testing/agents/test-agent.ts'
import { failingTransact } from '../../../testing/index.ts'
import { useEngine } from '../../../testing/operations/use-engine.ts'
import { createOperationalWallet, planExplicitMove } from '../../../testing/rebalancing/operational-wallets.ts'
import { USDC } from '../../../testing/units.ts'
import type { Transact } from '../../database/index.ts'
import type { AgentReport } from '../lifecycle/states/agent-work.ts'
import type { Operation } from '../lifecycle/states/operation.ts'
import { broadcastForAgent } from './broadcast-for-agent.ts'
import type { IssuedBytes } from './commit-bytes.ts'

const use = useEngine()
let agent: TestAgent
let operation: Operation
let leased: IssuedBytes

beforeEach(async () => {
  const wallet = await createOperationalWallet(use.engine, use.client)
  operation = await planExplicitMove(use.engine, wallet, { type: 'SUPPLY', amount: 600n * USDC })
  agent = createTestAgent(use.engine, use.client)
  leased = await agent.pollRequired()
})

interface Sent {
  readonly transactionId?: number
  readonly organizationId?: number
  readonly leaseToken?: string | undefined
  readonly transact?: Transact<AgentReport>
}
const broadcast = (signedTransaction: string, { transact, ...sent }: Sent = {}) =>
  broadcastForAgent(
    use.engine.parts,
    {
      organizationId: use.client.scope.organizationId,
      transactionId: leased.transaction.transactionId,
      leaseToken: leased.lease.leaseToken,
      ...sent,
      signedTransaction,
    },
    transact,
  )
const transactions = async () => (await use.client.operation(operation)).transactions

test('what an agent signed is sent, and counts as its report', async () => {
  const { status, txHash } = await broadcast(await use.client.sign(leased.transaction))
  expect(status).toBe('SUBMITTED')
  await use.dev.included(txHash!)
  await use.engine.settle()
  expect((await transactions())[0]).toMatchObject({ status: 'confirmed', txHash })
  expect((await agent.pollRequired()).transaction.transactionId).toBe((await transactions())[1]!.transactionId)
})

test('the same bytes again are answered with the first report, also after the lease passed on', async () => {
  const signed = await use.client.sign(leased.transaction)
  const first = await broadcast(signed)
  use.engine.clock.advance(120_000)
  expect(await broadcast(signed)).toEqual(first)
})

test('bytes that differ from the plan are TRANSACTION_MISMATCH, and are not sent', async () => {
  const other = await use.client.sign(leased.transaction, { change: { value: 1n } })
  await expect(broadcast(other)).rejects.toMatchObject({ code: 'TRANSACTION_MISMATCH' })
  expect((await transactions())[0]).toMatchObject({ state: 'issued' })
})

test('a transaction that was never issued is LEASE_LOST, and one of another organization does not exist', async () => {
  const signed = await use.client.sign(leased.transaction)
  const waiting = (await transactions())[1]!.transactionId
  await expect(broadcast(signed, { transactionId: waiting })).rejects.toMatchObject({ code: 'LEASE_LOST' })
  const organizationId = await use.engine.organization()
  await expect(broadcast(signed, { organizationId })).rejects.toMatchObject({ code: 'TRANSACTION_NOT_FOUND' })
})

test('bytes whose nonce was used can no longer land, and the agent is not sent to the client’s endpoint', async () => {
  const signed = await use.client.sign(leased.transaction)
  await use.dev.included(await use.client.useNonce())
  const refused = await broadcast(signed).catch((error: unknown) => error)
  expect(refused).toMatchObject({ code: 'OPERATION_EXPIRED' })
  expect(refused).not.toHaveProperty('details.refresh')
})

test('bytes are stored and sent even if the report cannot be stored, and the next request stores it', async () => {
  const transact = failingTransact<AgentReport>(use.engine.db, 'the report could not be stored')
  const signed = await use.client.sign(leased.transaction)
  await expect(broadcast(signed, { transact })).rejects.toThrow('could not be stored')
  const [sent] = await transactions()
  expect(sent).toMatchObject({ state: 'submitted' })
  const { txHash } = await broadcast(signed)
  expect(sent).toMatchObject({ txHash })
  await use.dev.included(txHash!)
})
