import type { Operation } from '../../src/operations/index.ts'
import type { OperationalWallet } from '../../src/wallets/index.ts'
import type { SimulationRun } from '../simulation-run.ts'
import type { Treasury } from '../treasury/treasury.ts'
import { Violation } from '../violation.ts'

interface Row {
  readonly id: number
  readonly wallet_id: number
  readonly origin: string
  readonly state: string
  readonly amount: string | null
  readonly settled: string | null
  readonly worth: string | null
  readonly type: string
  readonly required: number
  readonly approvals: number
  /** Whether it fetches a part of an awaited withdrawal. */
  readonly fetches: boolean
}

const OPERATIONS = {
  name: 'operations of agents',
  text: `select o.id, o.wallet_id, o.origin, o.state, o.type, o.amount::text as amount, o.settled_amount::text as settled,
      exists (select 1 from awaited_withdrawal_operations l
        where l.organization_id = o.organization_id and l.operation_id = o.id) as fetches,
      o.planned_value::text as worth, o.required_approvals as required, (select count(*) from operation_approvals a
        where a.operation_id = o.id and a.decision = 'approve'
        and (o.requested_by_type is distinct from 'user' or a.user_id <> o.requested_by_id))::int as approvals
    from operations o where o.executor = 'agent' order by o.id`,
}

const UNFINISHED = ['PLANNING', 'PENDING_APPROVAL', 'EXECUTING', 'CONFIRMING']

/**
 * A wallet never has two unfinished operations for agents; an operation gets all required approvals before anything
 * else happens to it; and what was carried out is what was planned (contract 7, 8, 10).
 */
export async function checkTreasury(run: SimulationRun, treasury: Treasury): Promise<void> {
  const { rows } = await run.database.reader.query<Row>(OPERATIONS)
  const busy = new Map<number, number>()
  for (const row of rows) {
    const { id, wallet_id, state, required, approvals } = row
    if (UNFINISHED.includes(state)) {
      const other = busy.get(wallet_id)
      if (other) throw new Violation(`operations ${other} and ${id} of wallet ${wallet_id} are both unfinished`)
      busy.set(wallet_id, id)
    }
    if (!treasury.decided.has(id)) expectJudged(treasury, row)
    if ((state === 'EXECUTING' || state === 'CONFIRMING') && approvals < required)
      throw new Violation(`operation ${id} is ${state} with ${approvals} of ${required} approvals`)
    if (state === 'COMPLETED' && row.type === 'SUPPLY' && row.settled !== row.amount)
      throw new Violation(`operation ${id} was to supply ${row.amount} and moved ${row.settled}`)
  }
}

/** A new operation was evaluated by the policy in force, unless the policy changed in the same step. */
function expectJudged(treasury: Treasury, { id, worth, required, origin, fetches }: Row): void {
  treasury.decided.add(id)
  const { mode, from, required: asked } = treasury.approvals
  const isMuch = BigInt(worth ?? 0) >= (from / 1_000_000n) * 1_000_000n
  // Parts of one move, or of a requested withdrawal, are evaluated by their sum, which only the rebalancer knows.
  if (mode === 'conditional' && (origin === 'rebalancer' || fetches) && !isMuch) return
  const expected = mode === 'manual' || (mode === 'conditional' && isMuch) ? asked : 0
  if (required !== expected)
    throw new Violation(`operation ${id} of ${worth} needs ${required} approvals, not ${expected}`)
}

/** The plan is what was requested, and it keeps the buffer. */
export function expectExplicit(
  run: SimulationRun,
  operation: Operation,
  amount: bigint,
  opWallet: OperationalWallet,
): void {
  const { operationId, transactions } = operation
  if (operation.amount !== amount)
    throw new Violation(`operation ${operationId} is of ${operation.amount}, not ${amount}`)
  const { sender } = transactions[0]!
  const left = run.balanceOf(opWallet.tokenAddress, sender) - amount
  if (run.readsAreExact && left < opWallet.buffer)
    throw new Violation(`operation ${operationId} was planned to leave ${left} where the buffer is ${opWallet.buffer}`)
}
