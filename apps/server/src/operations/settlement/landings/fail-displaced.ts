import { sql } from 'kysely'
import type { BatchedCall, Tx } from '../../../database/index.ts'
import { READ_OPERATION } from '../../lifecycle/reads/read-operations.ts'
import { failTransaction } from '../../lifecycle/transitions/fail-transaction.ts'
import type { Candidate } from '../discovery/classify-transactions.ts'
import type { SettlementContext } from '../shared/settlement-context.ts'

interface DisplacedKey {
  readonly organizationId: number
  readonly blockchain: string
  readonly sender: string
  readonly nonce: number
  readonly transactionId: number
}

interface DisplacedRow {
  readonly id: number
  readonly operation_id: number
}

/** The pending transactions of each sender that are dead at this nonce, in one statement. */
async function findDisplaced(tx: Tx, landed: readonly DisplacedKey[]): Promise<DisplacedRow[][]> {
  const { rows } = await sql<DisplacedRow & { place: number }>`
    select t.id, t.operation_id, l.place
    from unnest(${landed.map((one) => one.organizationId)}::bigint[], ${landed.map((one) => one.blockchain)}::text[],
      ${landed.map((one) => one.sender)}::text[], ${landed.map((one) => one.nonce)}::bigint[],
      ${landed.map((one) => one.transactionId)}::bigint[])
      with ordinality as l(organization_id, blockchain, sender, nonce, id, place)
    join transactions t on t.organization_id = l.organization_id and t.blockchain = l.blockchain
      and t.sender = l.sender and t.nonce <= l.nonce and t.id <> l.id
    where t.state = 'pending' and not t.can_still_land
    order by t.id
  `.execute(tx)
  const byPlace = Map.groupBy(rows, ({ place }) => Number(place))
  return landed.map((_, index) => byPlace.get(index + 1) ?? [])
}

const FIND_DISPLACED: BatchedCall<DisplacedKey, DisplacedRow[]> = { run: findDisplaced }

/**
 * Called before one of our transactions is settled. Fails the sender's pending transactions that were found dead
 * before but left to the request that was broadcasting them. Otherwise they would occupy the nonce that landed, or
 * stay pending in a completed operation.
 */
export async function failDisplacedTransactions(
  { batcher, snapshot, at }: SettlementContext,
  { transaction: { nonce, blockchain, sender, transactionId } }: Candidate,
): Promise<void> {
  if (nonce === null) return
  const { organizationId } = snapshot.wallet
  const displaced = await batcher.call(FIND_DISPLACED, { organizationId, blockchain, sender, nonce, transactionId })
  for (const { id, operation_id } of displaced) {
    const operation = await batcher.call(READ_OPERATION, { organizationId, operationId: operation_id })
    const transaction = operation.transactions.find(({ transactionId }) => transactionId === id)!
    const failure = { code: 'NONCE_TOO_LOW', error: 'The nonce was already used by another transaction.' }
    await failTransaction(batcher, { operation, transaction, change: { event: 'failed_for_good', failure }, at })
  }
}
