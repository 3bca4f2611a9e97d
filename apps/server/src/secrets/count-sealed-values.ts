import { sql } from 'kysely'
import type { Database } from '../database/index.ts'
import type { SealedColumn } from './sealed-column.ts'
import { walkSealedValues } from './walk-sealed-values.ts'

/** How many stored values each key sealed, by key id. Walks every sealed column once. */
export async function countSealedValues(
  db: Database,
  columns: readonly SealedColumn[],
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>()
  for (const column of columns) {
    for await (const places of walkSealedValues(db, column)) {
      for (const { sealed_by: id } of places) counts.set(id, (counts.get(id) ?? 0) + 1)
    }
  }
  return counts
}

/** How many usable API keys, secrets of service accounts, refresh tokens and recovery codes are hashed under each pepper, by its id. */
export async function countHashes(db: Database): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ id: string; amount: number }>`
    select id, sum(amount)::bigint as amount from (
      select pepper_id as id, count(*) as amount from api_keys where revoked_at is null group by 1
      union all
      select pepper_id, count(*) from service_account_secrets secret
        join service_accounts account on account.organization_id = secret.organization_id
          and account.id = secret.service_account_id
      where account.deleted_at is null and (secret.replaced_at is null or secret.expires_at > now()) group by 1
      union all
      select pepper_id, count(*) from refresh_tokens where used_at is null group by 1
      union all
      select pepper_id, count(*) from user_recovery_codes where used_at is null group by 1
    ) hashes group by id
  `.execute(db)
  return new Map(rows.map(({ id, amount }) => [id, amount]))
}
