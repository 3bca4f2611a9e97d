import { sql } from 'kysely'
import type { Database } from '../database/index.ts'

/** A difference between ledger and chain, with its wallet. */
export interface ListedBreak {
  readonly id: number
  readonly walletId: number
  readonly walletAddress: string
  readonly blockchain: string
  readonly tokenAddress: string
  /** Base units that the ledger shows and the chain does not. */
  readonly amount: bigint
  readonly openedAt: Date
  readonly closedAt: Date | null
}

interface BreakPage {
  readonly items: readonly ListedBreak[]
  readonly total: number
  /** How many of all are open. */
  readonly open: number
}

/** The organization's breaks, open ones first, then newest first. */
export async function listBreaks(
  { db }: { readonly db: Database },
  organizationId: number,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<BreakPage> {
  const { rows: counts } = await sql<{ total: number; open: number }>`
    select count(*)::int as total, count(*) filter (where closed_at is null)::int as open
    from ledger_breaks where organization_id = ${organizationId}
  `.execute(db)
  const { rows } = await sql<ListedBreak>`
    select break.id, break.wallet_id as "walletId", wallet.address as "walletAddress", wallet.blockchain,
      break.token_address as "tokenAddress", break.amount, break.opened_at as "openedAt", break.closed_at as "closedAt"
    from ledger_breaks break
    join wallets wallet on wallet.organization_id = break.organization_id and wallet.id = break.wallet_id
    where break.organization_id = ${organizationId}
    order by break.closed_at is not null, break.id desc limit ${limit} offset ${offset}
  `.execute(db)
  return { items: rows, total: counts[0]?.total ?? 0, open: counts[0]?.open ?? 0 }
}
