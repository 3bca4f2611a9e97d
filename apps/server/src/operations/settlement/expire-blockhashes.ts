import { sql } from 'kysely'
import { type BlockRef, type Chain, callFromJson, matchesPlan } from '../../chains/index.ts'
import { inTransaction } from '../../database/index.ts'
import { addMilliseconds, BLOCKHASH_EXPIRY_BATCH, CLOCK_SKEW_MAX_MS } from '../../kernel/index.ts'
import { failTransaction } from '../lifecycle/fail-transaction.ts'
import { lockOperation } from '../lifecycle/lock-operation.ts'
import { moveTransaction } from '../lifecycle/move-transactions.ts'
import type { Parts } from '../lifecycle/parts.ts'
import { settlePastBlock } from './settle-past-block.ts'

interface ExpiredRow {
  organization_id: number
  operation_id: number
  transaction_id: number
  sender: string
  call: Record<string, unknown>
  created_at: Date
}

/**
 * Solana: marks bytes dead whose blockhash has expired, and fails the transactions that were submitted with them
 * (DROPPED). Bytes are dead when the last settled block is higher than the last that could include them, and none of
 * the wallet's final transactions carries their memo (rule 1). A transaction that is found was missed, and is settled
 * now. A check that cannot be completed changes nothing and is repeated next time. On other chains it does nothing.
 */
export async function expireBlockhashes(parts: Parts, chain: Chain, final: Pick<BlockRef, 'number'>): Promise<void> {
  if (chain.replayProtection !== 'blockhash') return
  const height = (await chain.header(final.number))?.height
  if (height === undefined) return
  const { rows } = await sql<ExpiredRow>`
    select t.organization_id, t.operation_id, t.id as transaction_id, t.sender, t.call, o.created_at
    from transactions t join operations o on o.organization_id = t.organization_id and o.id = t.operation_id
    where t.blockchain = ${chain.network.blockchain} and t.can_still_land and t.last_valid_block_height < ${height}
    order by t.last_valid_block_height limit ${BLOCKHASH_EXPIRY_BATCH}
  `.execute(parts.db)
  for (const [sender, own] of Map.groupBy(rows, (row) => row.sender)) {
    const oldest = own.reduce((least, { created_at }) => (created_at < least ? created_at : least), own[0]!.created_at)
    const ids = own.map(({ transaction_id }) => transaction_id)
    const since = addMilliseconds(oldest, -CLOCK_SKEW_MAX_MS)
    const lookups = await chain.findTransactions(await chain.findLanded(sender, ids, { slot: final.number, since }))
    for (const row of own) {
      const planned = { sender, nonce: null, call: callFromJson(row.call) }
      const landed = lookups.find((lookup) => lookup && matchesPlan(planned, lookup))
      if (landed) await settlePastBlock(parts, chain, landed)
      else await expireTransaction(parts, row, height)
    }
  }
}

async function expireTransaction(parts: Parts, row: ExpiredRow, height: number): Promise<void> {
  await inTransaction(parts.db, async (tx) => {
    const at = parts.clock.now()
    const scope = { organizationId: row.organization_id, walletProfileId: null }
    const operation = await lockOperation(tx, scope, row.operation_id)
    const transaction = operation.transactions.find(({ transactionId }) => transactionId === row.transaction_id)
    // It may have new bytes or be in a block by now.
    if (!transaction?.canStillLand) return
    if (transaction.lastValidBlockHeight === null || transaction.lastValidBlockHeight >= height) return
    if (transaction.state === 'submitted') {
      const failure = { code: 'DROPPED', error: 'The blockhash expired before a block included the transaction.' }
      await failTransaction(tx, { operation, transaction, change: { event: 'failed_for_good', failure }, at })
    } else if (transaction.state === 'issued' || transaction.state === 'outstanding') {
      await moveTransaction(tx, operation, transaction, { event: 'bytes_died' })
    }
  })
}
