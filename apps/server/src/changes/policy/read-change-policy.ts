import type { Database, Tx } from '../../database/index.ts'
import { type ChangeRules, completeRules, NO_RULES } from './change-policy.ts'

/** An organization's rules: what applies, since when, and set by whom. */
export interface ChangePolicy {
  /** 1, 2, 3; 0 before anyone set one. */
  readonly version: number
  readonly rules: ChangeRules
  /** `null` for version 0 and for a policy that the operator of the host reset. */
  readonly changedBy: { readonly id: number; readonly email: string; readonly name: string | null } | null
  readonly changedAt: Date | null
}

const DEFAULT_CHANGE_POLICY: ChangePolicy = { version: 0, rules: NO_RULES, changedBy: null, changedAt: null }

/** The rules in force. */
export async function readChangeRules(db: Database | Tx, organizationId: number): Promise<ChangeRules> {
  const row = await db
    .selectFrom('change_policies')
    .select('rules')
    .where('organization_id', '=', organizationId)
    .executeTakeFirst()
  return row === undefined ? NO_RULES : rulesFrom(row.rules)
}

/** The rules in force, with their author and time. */
export async function getChangePolicy(db: Database | Tx, organizationId: number): Promise<ChangePolicy> {
  const row = await db
    .selectFrom('change_policies as p')
    .leftJoin('users as u', (join) =>
      join.onRef('u.organization_id', '=', 'p.organization_id').onRef('u.id', '=', 'p.changed_by'),
    )
    .select(['p.version', 'p.rules', 'p.changed_at as changedAt', 'u.id', 'u.email', 'u.name'])
    .where('p.organization_id', '=', organizationId)
    .executeTakeFirst()
  if (row === undefined) return DEFAULT_CHANGE_POLICY
  const { version, rules, changedAt, id, email, name } = row
  const changedBy = id === null || email === null ? null : { id, email, name }
  return { version, rules: rulesFrom(rules), changedBy, changedAt }
}

/** Stored rules name the kinds of their time. */
const rulesFrom = (stored: unknown): ChangeRules => completeRules(stored as Partial<ChangeRules>)
