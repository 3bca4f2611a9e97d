import type { Database } from '../../../database/index.ts'
import { LIST_LIMIT_MAX } from '../../../kernel/index.ts'

export interface QuarantinedWallet {
  readonly walletId: number
  readonly address: string
  readonly label: string | null
  readonly blockchain: string
  readonly since: Date
  readonly attempts: number
  readonly nextAttemptAt: Date
}

/** The organization's wallets that could not be settled and wait for another attempt, longest wait first. */
export async function listQuarantined(
  { db }: { readonly db: Database },
  organizationId: number,
): Promise<QuarantinedWallet[]> {
  return db
    .selectFrom('quarantined_wallets as q')
    .innerJoin('wallets as w', (join) =>
      join.onRef('w.organization_id', '=', 'q.organization_id').onRef('w.id', '=', 'q.wallet_id'),
    )
    .where('q.organization_id', '=', organizationId)
    .select([
      'q.wallet_id as walletId',
      'w.address',
      'w.label',
      'q.blockchain',
      'q.since',
      'q.attempts',
      'q.next_attempt_at as nextAttemptAt',
    ])
    .orderBy('q.since')
    .limit(LIST_LIMIT_MAX)
    .execute()
}
