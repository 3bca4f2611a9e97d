import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createOperationalWallet, planExplicitMove } from '../../../testing/operational-wallets.ts'
import { USDC } from '../../../testing/units.ts'
import { useEngine } from '../../../testing/use-engine.ts'
import type { AgentStage, Tx } from '../../database/index.ts'
import { AGENT_WORK, EVENT_OF_SUCCESSOR } from './agent-work-states.ts'
import { moveTransaction, type TransactionChange } from './move-transactions.ts'
import {
  killUnsubmittedBytes,
  resetTransactions,
  rollBackInclusions,
  unsubmittedFail,
} from './move-transactions-in-bulk.ts'
import type { Operation } from './operation.ts'
import { readOperation } from './read-operations.ts'
import { TRANSACTIONS, type TransactionEvent, type TransactionTransition } from './transaction-states.ts'

/** What the modules write is compared with what the tables say, on real rows, by events in any order. */
const use = useEngine()

const at = new Date('2026-01-02T00:00:00Z')
const block = { blockNumber: 7, blockHash: '0xb', time: at }
const failure = { code: 'UNKNOWN', error: 'x' }
const txHash = `0x${'1'.repeat(64)}`

/** An event with whatever it brings. Those of many transactions at once have no such change. */
function changeFor(
  event: TransactionEvent,
  { transactions }: Operation,
  position: number,
): TransactionChange | undefined {
  const { call } = transactions[position]!
  const bytes = {
    call,
    nonce: null,
    unsignedBytes: '0x02',
    validUntil: null,
    blockhash: null,
    lastValidBlockHeight: null,
  }
  switch (event) {
    case 'issued':
      return { event, bytes }
    case 'submitted':
      return { event, txHash, at }
    case 'refused':
    case 'bytes_died':
      return { event }
    case 'refused_after_end':
      return { event, error: 'x' }
    case 'included':
      return { event, block, at }
    case 'confirmed':
      return { event, block, txHash, at }
    case 'reverted':
      return { event, failure, revertReason: null, block, txHash, at }
    case 'failed':
    case 'failed_for_good':
      return { event, failure }
    default:
      return undefined
  }
}

/** Moves one transaction of the operation; an event of many at once moves the other one too, if it means something there. */
async function move(tx: Tx, operation: Operation, position: number, event: TransactionEvent): Promise<void> {
  const change = changeFor(event, operation, position)
  if (change) return moveTransaction(tx, operation, operation.transactions[position]!, change)
  const { organizationId, operationId, walletId } = operation
  if (event === 'rolled_back') return rollBackInclusions(tx, operation.transactions[0]!.blockchain, 0, at)
  if (event === 'chain_reset') return resetTransactions(tx, { organizationId, walletId }, 'x')
  await sql`
    with steps as (select ${operationId}::bigint as operation_id, true as ended, null::text as explanation),
      ${unsubmittedFail(organizationId)}
    select
  `.execute(tx)
}

const MANY: readonly TransactionEvent[] = ['rolled_back', 'chain_reset', 'operation_ended']
const choices = fc.array(fc.tuple(fc.nat({ max: 1 }), fc.nat({ max: 1_000 })), { minLength: 1, maxLength: 14 })

/** The stages of the operation's work, after an event moved one transaction. */
function follow(stages: AgentStage[], position: number, { work }: TransactionTransition): void {
  const own = work && AGENT_WORK.find(stages[position]!, work)
  if (!own) return
  stages[position] = own.to
  const successor = EVENT_OF_SUCCESSOR[work]
  const next = stages[position + 1]
  if (successor && next) stages[position + 1] = AGENT_WORK.find(next, successor)?.to ?? next
}

async function playedBack(read: Operation, steps: readonly (readonly [number, number])[]): Promise<void> {
  const { db } = use.engine
  const scope = { organizationId: read.organizationId, walletProfileId: null }
  const undone = new Error('undone')
  const play = db.transaction().execute(async (tx) => {
    let operation = read
    const stages = await stagesOf(tx, operation)
    for (const [choice, way] of steps) {
      const position = choice % operation.transactions.length
      const ways = TRANSACTIONS.transitions.filter(({ from }) => from === operation.transactions[position]!.state)
      if (ways.length === 0) continue
      const { event } = ways[way % ways.length]!
      // The end of its operation also ends what is submitted, and a chain that is reset has ended it before.
      if (event === 'chain_reset' && operation.transactions.some(({ status }) => status === 'unsigned')) continue
      const moved = operation.transactions.map((transaction, index) =>
        index === position || MANY.includes(event) ? TRANSACTIONS.find(transaction.state, event) : undefined,
      )
      await move(tx, operation, position, event)
      const before = operation
      operation = await readOperation(tx, scope, read.operationId)
      const states = before.transactions.map(({ state }, index) => moved[index]?.to ?? state)
      expect(
        operation.transactions.map(({ state }) => state),
        event,
      ).toEqual(states)
      // Work ends with its operation, in the statement that ends the operation.
      if (event === 'operation_ended' || event === 'chain_reset') break
      if (stages.length === 0) continue
      for (const [index, transition] of moved.entries()) if (transition) follow(stages, index, transition)
      expect(await stagesOf(tx, operation), event).toEqual(stages)
    }
    throw undone
  })
  await expect(play).rejects.toBe(undone)
}

async function stagesOf(tx: Tx, { operationId }: Operation): Promise<AgentStage[]> {
  const rows = await tx
    .selectFrom('agent_work')
    .select('stage')
    .where('operation_id', '=', operationId)
    .orderBy('position')
    .execute()
  return rows.map(({ stage }) => stage)
}

test('every event of a client’s transactions leads where the table says, in any order', async () => {
  const plan = await use.client.supply(100n * USDC)
  await fc.assert(
    fc.asyncProperty(choices, (steps) => playedBack(plan, steps)),
    { numRuns: 60 },
  )
})

test('every event of an agent’s transactions leads where the tables say, and its work with it', async () => {
  const wallet = await createOperationalWallet(use.engine, use.client)
  const operation = await planExplicitMove(use.engine, wallet, { type: 'SUPPLY', amount: 100n * USDC })
  await fc.assert(
    fc.asyncProperty(choices, (steps) => playedBack(operation, steps)),
    { numRuns: 60 },
  )
})

test('an event that means nothing in a transaction’s state changes nothing', async () => {
  const plan = await use.client.supply(100n * USDC)
  const refused = use.engine.db.transaction().execute((tx) => move(tx, plan, 0, 'refused'))
  await expect(refused).rejects.toThrow('refused means nothing to a transaction that is issued')
  // What was read under the lock is still there, or nothing is written.
  const stale = { ...plan, transactions: plan.transactions.map((each) => ({ ...each, state: 'submitted' as const })) }
  const moved = use.engine.db.transaction().execute((tx) => move(tx, stale as Operation, 0, 'failed'))
  await expect(moved).rejects.toThrow('the state that was read under the lock')
  expect(await use.client.operation(plan)).toEqual(plan)
})

test('bytes that are not submitted die together, and submitted ones are left to the follower', async () => {
  const plan = await use.client.supply(100n * USDC)
  await use.engine.db.transaction().execute(async (tx) => {
    await move(tx, plan, 0, 'submitted')
    const killed = await killUnsubmittedBytes(tx, sql`t.operation_id = ${plan.operationId}`)
    expect(killed).toBe(plan.transactions.length - 1)
    const { transactions } = await readOperation(
      tx,
      { organizationId: plan.organizationId, walletProfileId: null },
      plan.operationId,
    )
    expect(transactions.map(({ state }) => state)).toEqual(['submitted', 'stale'])
    await move(tx, { ...plan, transactions }, 0, 'refused')
    await move(tx, { ...plan, transactions }, 1, 'issued')
  })
})
