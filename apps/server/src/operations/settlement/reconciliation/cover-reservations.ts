import { sql } from 'kysely'
import { type BatchedCall, batchedEffect } from '../../../database/index.ts'
import { minAmount } from '../../../kernel/index.ts'
import { type LedgerEntry, postings } from '../../../ledger/index.ts'
import type { Wallet } from '../../../wallets/index.ts'
import type { SettlementContext } from '../shared/settlement-context.ts'

/** Covers waiting reservations of a wallet and token with newly final money, the oldest first. Base units. */
export async function coverReservations(
  { batcher, block, snapshot, at }: SettlementContext,
  tokenAddress: string,
  available: bigint,
): Promise<LedgerEntry[]> {
  const { organizationId, walletId } = snapshot.wallet
  const waiting = await batcher.call(FIND_WAITING, { wallet: snapshot.wallet, tokenAddress })
  const covers: Cover[] = []
  const entries: LedgerEntry[] = []
  let remaining = available
  for (const { operationId, amount, covered } of waiting) {
    const added = minAmount(amount - covered, remaining)
    if (added === 0n) break
    remaining -= added
    covers.push({ organizationId, operationId, covered: covered + added })
    entries.push({
      organizationId,
      kind: 'cover',
      source: `cover:${operationId}:${covered + added}`,
      operationId,
      blockNumber: block.number,
      at,
      postings: postings(walletId, tokenAddress, { available: -added, reserved: added }),
    })
  }
  if (covers.length > 0) await batcher.call(COVER, covers)
  return entries
}

interface WaitingKey {
  readonly wallet: Pick<Wallet, 'organizationId' | 'walletId'>
  readonly tokenAddress: string
}

interface Waiting {
  readonly operationId: number
  readonly amount: bigint
  readonly covered: bigint
}

const FIND_WAITING: BatchedCall<WaitingKey, Waiting[]> = {
  async run(tx, keys) {
    const rows = await tx
      .selectFrom('reservations')
      .select(['wallet_id', 'token_address', 'operation_id as operationId', 'amount', 'covered'])
      .where(
        sql<boolean>`(organization_id, wallet_id, token_address) in (select * from unnest(
          ${keys.map(({ wallet }) => wallet.organizationId)}::bigint[],
          ${keys.map(({ wallet }) => wallet.walletId)}::bigint[],
          ${keys.map(({ tokenAddress }) => tokenAddress)}::text[]))`,
      )
      .where('released_at', 'is', null)
      .whereRef('covered', '<', 'amount')
      .orderBy('operation_id')
      .execute()
    const byToken = Map.groupBy(rows, (row) => `${row.wallet_id} ${row.token_address}`)
    return keys.map(({ wallet, tokenAddress }) => byToken.get(`${wallet.walletId} ${tokenAddress}`) ?? [])
  },
}

interface Cover {
  readonly organizationId: number
  readonly operationId: number
  readonly covered: bigint
}

const COVER = batchedEffect<readonly Cover[]>((tx, calls) => {
  const covers = calls.flat()
  return sql`
    update reservations r set covered = c.covered
    from unnest(${covers.map(({ organizationId }) => organizationId)}::bigint[],
      ${covers.map(({ operationId }) => operationId)}::bigint[], ${covers.map(({ covered }) => covered)}::numeric[])
      as c(organization_id, operation_id, covered)
    where r.organization_id = c.organization_id and r.operation_id = c.operation_id
  `.execute(tx)
})
