import { sql } from 'kysely'
import { preparedQuery } from '../../database/index.ts'
import type { Wallet } from '../../wallets/index.ts'
import { unfinishedAfterExpiry } from '../lifecycle/conflicts/expire-operations.ts'
import type { Parts } from '../lifecycle/parts.ts'
import type { Operation } from '../lifecycle/states/operation.ts'

/** The state of a wallet before planning, read without its lock: enough to refuse early, never enough to commit. */
export interface PlanningPrecheck {
  readonly unfinished: readonly Operation[]
  /** Base units that agents' operations reserve. Superseding a client's operations releases their reservations. */
  readonly reservedByAgents: bigint
  /** The last block that the chain was settled up to; a balance from before it is no basis for a plan. */
  readonly settledBlock: number | undefined
}

const reservedByAgentsQuery = preparedQuery(
  'reserved by agents',
  (db, place: (name: 'organizationId' | 'walletId' | 'tokenAddress' | 'blockchain') => never) =>
    db
      .selectFrom('reservations')
      .innerJoin('operations', (join) =>
        join
          .onRef('operations.organization_id', '=', 'reservations.organization_id')
          .onRef('operations.id', '=', 'reservations.operation_id'),
      )
      .select(sql<bigint>`coalesce(sum(reservations.amount), 0)`.as('amount'))
      .select((from) =>
        from
          .selectFrom('chain_cursors')
          .select('final_number')
          .where('blockchain', '=', place('blockchain'))
          .as('settled_block'),
      )
      .where('reservations.organization_id', '=', place('organizationId'))
      .where('reservations.wallet_id', '=', place('walletId'))
      .where('reservations.token_address', '=', place('tokenAddress'))
      .where('reservations.released_at', 'is', null)
      .where('operations.executor', '=', sql.lit('agent')),
)

export async function readPlanningPrecheck(
  parts: Pick<Parts, 'db' | 'clock'>,
  wallet: Wallet,
  tokenAddress: string,
): Promise<PlanningPrecheck> {
  const { organizationId, walletId } = wallet
  const [unfinished, [reserved]] = await Promise.all([
    unfinishedAfterExpiry(parts, wallet),
    reservedByAgentsQuery(parts.db, { organizationId, walletId, tokenAddress, blockchain: wallet.blockchain }),
  ])
  return { unfinished, reservedByAgents: reserved?.amount ?? 0n, settledBlock: reserved?.settled_block ?? undefined }
}
