import { sql } from 'kysely'
import { type Database, preparedQuery } from '../../database/index.ts'
import type { Wallet } from '../../wallets/index.ts'
import type { Operation } from '../lifecycle/operation.ts'
import { unfinishedOperations } from '../lifecycle/read-operations.ts'

/** What stands at a wallet before a plan, read without its lock: enough to refuse early, never to commit. */
export interface PlanningPrecheck {
  readonly unfinished: readonly Operation[]
  /** Base units that the agent's unfinished operations hold back; the client's are freed by superseding them. */
  readonly reservedByAgents: bigint
}

const reservedByAgentsQuery = preparedQuery(
  'held by agents',
  (db, place: (name: 'organizationId' | 'walletId' | 'tokenAddress') => never) =>
    db
      .selectFrom('reservations')
      .innerJoin('operations', (join) =>
        join
          .onRef('operations.organization_id', '=', 'reservations.organization_id')
          .onRef('operations.id', '=', 'reservations.operation_id'),
      )
      .select(sql<bigint>`coalesce(sum(reservations.amount), 0)`.as('amount'))
      .where('reservations.organization_id', '=', place('organizationId'))
      .where('reservations.wallet_id', '=', place('walletId'))
      .where('reservations.token_address', '=', place('tokenAddress'))
      .where('reservations.released_at', 'is', null)
      .where('operations.executor', '=', sql.lit('agent')),
)

export async function readPlanningPrecheck(
  db: Database,
  wallet: Wallet,
  tokenAddress: string,
): Promise<PlanningPrecheck> {
  const { organizationId, walletId } = wallet
  const [unfinished, [held]] = await Promise.all([
    unfinishedOperations(db, wallet),
    reservedByAgentsQuery(db, { organizationId, walletId, tokenAddress }),
  ])
  return { unfinished, reservedByAgents: held?.amount ?? 0n }
}
