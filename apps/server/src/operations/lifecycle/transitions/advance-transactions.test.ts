// Also tested elsewhere: what each bulk event selects (advance-transactions-in-bulk.test.ts), and the table itself
// (lifecycle/states/transaction-states.test.ts).
import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { useEngine } from '../../../../testing/operations/use-engine.ts'
import { createOperationalWallet, planExplicitMove } from '../../../../testing/rebalancing/operational-wallets.ts'
import { USDC } from '../../../../testing/units.ts'
import type { AgentStage, Tx } from '../../../database/index.ts'
import { readOperation } from '../reads/read-operations.ts'
import { AGENT_WORK, EVENT_OF_SUCCESSOR } from '../states/agent-work-states.ts'
import type { Operation } from '../states/operation.ts'
import { TRANSACTIONS, type TransactionEvent, type TransactionTransition } from '../states/transaction-states.ts'
import { advanceTransaction, type TransactionChange } from './advance-transactions.ts'
import { failUnsubmittedSql, resetTransactions, rollbackInclusions } from './advance-transactions-in-bulk.ts'

/** Compares what the modules write to real rows with the tables of states, for events in any order. */
const use = useEngine()

const at = new Date('2026-01-02T00:00:00Z')
const block = { blockNumber: 7, blockHash: '0xb', time: at }
const failure = { code: 'UNKNOWN', error: 'x' }
const txHash = `0x${'1'.repeat(64)}`

/** The change for an event; `undefined` for events that move many transactions at once. */
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
    case 'replacement_issued':
      return { event, bytes }
    case 'submitted':
      return { event, txHash, at }
    case 'refused':
    case 'bytes_died':
    case 'found_landed':
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

/** Moves one transaction of the operation. A bulk event also moves the other one, if it has a transition for it. */
async function move(tx: Tx, operation: Operation, position: number, event: TransactionEvent): Promise<void> {
  const change = changeFor(event, operation, position)
  if (change) return advanceTransaction(tx, operation, operation.transactions[position]!, change)
  const { organizationId, operationId, walletId } = operation
  if (event === 'rolled_back') return rollbackInclusions(tx, operation.transactions[0]!.blockchain, 0, at)
  if (event === 'chain_reset') return resetTransactions(tx, { organizationId, walletId }, 'x')
  await sql`
    with steps as (select ${operationId}::bigint as operation_id, true as ended, null::text as explanation),
      ${failUnsubmittedSql(sql`${organizationId}`)}
    select
  `.execute(tx)
}

const BULK_EVENTS: readonly TransactionEvent[] = ['rolled_back', 'chain_reset', 'operation_ended']
const choices = fc.array(fc.tuple(fc.nat({ max: 1 }), fc.nat({ max: 1_000 })), { minLength: 1, maxLength: 14 })

/** Applies the effect of a transaction's transition to the expected stages of the operation's work. */
function follow(stages: AgentStage[], position: number, { work }: TransactionTransition): void {
  const own = work && AGENT_WORK.find(stages[position]!, work)
  if (!own) return
  stages[position] = own.to
  const successor = EVENT_OF_SUCCESSOR[work]
  const next = stages[position + 1]
  if (successor && next) stages[position + 1] = AGENT_WORK.find(next, successor)?.to ?? next
}

async function expectTablesFollowed(initial: Operation, steps: readonly (readonly [number, number])[]): Promise<void> {
  const { db } = use.engine
  const scope = { organizationId: initial.organizationId, walletProfileId: null }
  const rollback = new Error('rollback')
  const rolledBack = db.transaction().execute(async (tx) => {
    let operation = initial
    const stages = await stagesOf(tx, operation)
    for (const [choice, next] of steps) {
      const position = choice % operation.transactions.length
      const possible = TRANSACTIONS.transitions.filter(({ from }) => from === operation.transactions[position]!.state)
      if (possible.length === 0) continue
      const { event } = possible[next % possible.length]!
      // Before a chain is reset its operations have ended, so none of their transactions is unsigned.
      if (event === 'chain_reset' && operation.transactions.some(({ status }) => status === 'unsigned')) continue
      const moved = operation.transactions.map((transaction, index) =>
        index === position || BULK_EVENTS.includes(event) ? TRANSACTIONS.find(transaction.state, event) : undefined,
      )
      await move(tx, operation, position, event)
      const before = operation
      operation = await readOperation(tx, scope, initial.operationId)
      const states = before.transactions.map(({ state }, index) => moved[index]?.to ?? state)
      expect(
        operation.transactions.map(({ state }) => state),
        event,
      ).toEqual(states)
      // Work ends with its operation, in the statement that ends it.
      if (event === 'operation_ended' || event === 'chain_reset') break
      if (stages.length === 0) continue
      for (const [index, transition] of moved.entries()) if (transition) follow(stages, index, transition)
      expect(await stagesOf(tx, operation), event).toEqual(stages)
    }
    throw rollback
  })
  await expect(rolledBack).rejects.toBe(rollback)
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

test('a refused submission leaves no block behind, so that the next one is not read as included', async () => {
  const { organizationId, operationId } = await use.client.supply(100n * USDC)
  const rollback = new Error('rollback')
  const states: string[] = []
  const rolledBack = use.engine.db.transaction().execute(async (tx) => {
    for (const event of ['submitted', 'included', 'bytes_died', 'refused', 'issued', 'submitted'] as const) {
      await move(tx, await readOperation(tx, { organizationId, walletProfileId: null }, operationId), 0, event)
      const moved = await readOperation(tx, { organizationId, walletProfileId: null }, operationId)
      states.push(moved.transactions[0]!.state)
    }
    throw rollback
  })
  await expect(rolledBack).rejects.toBe(rollback)
  expect(states).toEqual(['submitted', 'included', 'displaced', 'stale', 'issued', 'submitted'])
})

test('events of a client’s transactions follow the table, in any order', async () => {
  const plan = await use.client.supply(100n * USDC)
  await fc.assert(
    fc.asyncProperty(choices, (steps) => expectTablesFollowed(plan, steps)),
    { numRuns: 60 },
  )
})

test('events of an agent’s transactions and of their work follow the tables, in any order', async () => {
  const wallet = await createOperationalWallet(use.engine, use.client)
  const operation = await planExplicitMove(use.engine, wallet, { type: 'SUPPLY', amount: 100n * USDC })
  await fc.assert(
    fc.asyncProperty(choices, (steps) => expectTablesFollowed(operation, steps)),
    { numRuns: 60 },
  )
})

test('an event without a transition from the transaction’s state changes nothing', async () => {
  const plan = await use.client.supply(100n * USDC)
  const refused = use.engine.db.transaction().execute((tx) => move(tx, plan, 0, 'refused'))
  await expect(refused).rejects.toThrow('a transaction that is issued has no event refused')
  // A row that changed after it was read is not written.
  const stale = { ...plan, transactions: plan.transactions.map((each) => ({ ...each, state: 'submitted' as const })) }
  const moved = use.engine.db.transaction().execute((tx) => move(tx, stale as Operation, 0, 'failed'))
  await expect(moved).rejects.toThrow('still in the state that was read under the lock')
  expect(await use.client.operation(plan)).toEqual(plan)
})
