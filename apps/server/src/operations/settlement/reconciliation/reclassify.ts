import { sql } from 'kysely'
import type { BatchedCall } from '../../../database/index.ts'
import { maxAmount } from '../../../kernel/index.ts'
import { type LedgerEntry, postings } from '../../../ledger/index.ts'
import type { Movement, Strategy } from '../../../venues/index.ts'
import type { Wallet } from '../../../wallets/index.ts'
import type { Operation } from '../../lifecycle/states/operation.ts'
import type { SettlementContext } from '../shared/settlement-context.ts'

/** From which block on a reconciliation of a balance has seen a movement. */
interface PassedTokens {
  readonly wallet: Pick<Wallet, 'organizationId' | 'walletId'>
  readonly tokenAddress: string
  readonly blockNumber: number
  /** Earlier entries are about another chain, where a development chain has begun again. */
  readonly since: Date
}

interface ExternalBalance {
  /** The first entry of `reconcile-balances.ts` since then. */
  readonly entryId: number
  /** What an open break stands for: it was never taken from the account. Base units. */
  readonly missing: bigint
}

/**
 * The entry that takes back what a reconciliation posted as external, because it found the tokens of a movement before
 * their transaction; `undefined` if none did. Without it, until the next reconciliation, a withdrawal would be available
 * twice, a supply would be missing twice, and lists of movements would have both.
 *
 * A reconciliation of the balance at the movement's block or later has counted it, whatever else it counted.
 */
export async function reclassify(
  { batcher, block, snapshot: { wallet, isAtBlock }, at }: SettlementContext,
  { operation, strategy, movement }: { operation: Operation; strategy: Strategy; movement: Movement },
): Promise<{ readonly entry: LedgerEntry; readonly available: bigint } | undefined> {
  // Nothing later than a block is settled before it.
  if (isAtBlock) return undefined
  const { tokenAddress } = strategy
  const { createdAt: since, operationId } = operation
  const posted = await batcher.call(FIRST_EXTERNAL_BALANCE, { wallet, tokenAddress, blockNumber: block.number, since })
  if (!posted) return undefined
  const available = movement.direction === 'in' ? maxAmount(movement.assets - posted.missing, 0n) : -movement.assets
  const entry: LedgerEntry = {
    organizationId: wallet.organizationId,
    kind: 'reclassification',
    // `list-money-movements.ts` reads the id of the entry.
    source: `reclassify:${operationId}:${posted.entryId}`,
    operationId,
    blockNumber: block.number,
    at,
    postings: postings(wallet.walletId, tokenAddress, { available, external: -available }),
  }
  return { entry, available }
}

const FIRST_EXTERNAL_BALANCE: BatchedCall<PassedTokens, ExternalBalance | undefined> = {
  async run(tx, keys) {
    const { rows } = await sql<ExternalBalance & { readonly place: number }>`
      select distinct on (k.place) k.place::int as place, e.id as "entryId", coalesce(b.amount, 0) as missing
      from unnest(${keys.map(({ wallet }) => wallet.organizationId)}::bigint[],
        ${keys.map(({ wallet }) => wallet.walletId)}::bigint[], ${keys.map(({ tokenAddress }) => tokenAddress)}::text[],
        ${keys.map(({ blockNumber }) => blockNumber)}::bigint[], ${keys.map(({ since }) => since)}::timestamptz[])
        with ordinality as k(organization_id, wallet_id, token_address, block_number, since, place)
      join ledger_postings p on p.organization_id = k.organization_id and p.wallet_id = k.wallet_id
        and p.token_address = k.token_address and p.account = 'external'
      join ledger_entries e on e.organization_id = p.organization_id and e.id = p.entry_id
        and e.kind = 'external_balance' and e.block_number >= k.block_number and e.created_at >= k.since
      left join ledger_breaks b on b.organization_id = k.organization_id and b.wallet_id = k.wallet_id
        and b.token_address = k.token_address and b.reason = 'balance' and b.closed_at is null
      order by k.place, e.id
    `.execute(tx)
    const byPlace = new Map(rows.map((row) => [row.place, row]))
    return keys.map((_, index) => byPlace.get(index + 1))
  },
}
