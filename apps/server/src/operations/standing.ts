import { sql } from 'kysely'
import type { Database } from '../database/index.ts'
import type { Wallet } from '../wallets/index.ts'
import { UNFINISHED } from './machine.ts'
import type { Operation } from './operation.ts'
import { fetchOperations, selectOperations } from './read-operations.ts'

/** What stands at a wallet before a plan, read without its lock: enough to refuse early, never to commit. */
export interface Standing {
  readonly unfinished: readonly Operation[]
  /** Base units that the agent's unfinished operations hold back; the client's are freed by superseding them. */
  readonly heldByAgents: bigint
}

export async function standingOf(db: Database, wallet: Wallet, tokenAddress: string): Promise<Standing> {
  const [unfinished, held] = await Promise.all([
    fetchOperations(
      selectOperations(db)
        .where('operations.organization_id', '=', wallet.organizationId)
        .where('operations.wallet_id', '=', wallet.walletId)
        .where('operations.state', 'in', UNFINISHED),
    ),
    db
      .selectFrom('reservations')
      .innerJoin('operations', (join) =>
        join
          .onRef('operations.organization_id', '=', 'reservations.organization_id')
          .onRef('operations.id', '=', 'reservations.operation_id'),
      )
      .select(sql<bigint>`coalesce(sum(reservations.amount), 0)`.as('amount'))
      .where('reservations.organization_id', '=', wallet.organizationId)
      .where('reservations.wallet_id', '=', wallet.walletId)
      .where('reservations.token_address', '=', tokenAddress)
      .where('reservations.released_at', 'is', null)
      .where('operations.executor', '=', 'agent')
      .executeTakeFirstOrThrow(),
  ])
  return { unfinished, heldByAgents: held.amount }
}
