import type { Database } from '../database/index.ts'
import type { Page, PageRequest } from '../identity/index.ts'
import { parseStoredPolicy } from './parse-policy.ts'
import { type ApprovalPolicy, DEFAULT_POLICY, FALLBACK_POLICY } from './policy.ts'

export interface PolicyParts {
  readonly db: Database
}

/** One version of an organization's policy: what applies, since when, and set by whom. */
export interface PolicyVersion {
  /** 1, 2, 3; 0 for the default policy before anyone set one. */
  readonly version: number
  /** The policy; if the stored one is unreadable, the fallback that applies instead. */
  readonly policy: ApprovalPolicy
  readonly isReadable: boolean
  /** `null` for version 0. */
  readonly changedBy: { readonly id: number; readonly email: string; readonly name: string | null } | null
  readonly changedAt: Date | null
}

const INITIAL_VERSION: PolicyVersion = {
  version: 0,
  policy: DEFAULT_POLICY,
  isReadable: true,
  changedBy: null,
  changedAt: null,
}

/** The active policy with its version (contract 7). */
export async function getPolicy(parts: PolicyParts, organizationId: number): Promise<PolicyVersion> {
  const [newest] = await readVersions(parts.db, organizationId, { limit: 1, offset: 0 })
  return newest ?? INITIAL_VERSION
}

/** Every version of the policy, newest first, with its author and time (contract 7). */
export async function listPolicyVersions(
  parts: PolicyParts,
  organizationId: number,
  page: PageRequest,
): Promise<Page<PolicyVersion>> {
  const [items, newest] = await Promise.all([
    readVersions(parts.db, organizationId, page),
    readVersions(parts.db, organizationId, { limit: 1, offset: 0 }),
  ])
  // Versions are numbered without gaps, so the newest number is the count.
  return { items, total: newest[0]?.version ?? 0 }
}

async function readVersions(db: Database, organizationId: number, page: PageRequest): Promise<PolicyVersion[]> {
  const rows = await db
    .selectFrom('approval_policies as p')
    .innerJoin('users as u', (join) =>
      join.onRef('u.organization_id', '=', 'p.organization_id').onRef('u.id', '=', 'p.changed_by'),
    )
    .select(['p.version', 'p.policy', 'p.created_at', 'u.id', 'u.email', 'u.name'])
    .where('p.organization_id', '=', organizationId)
    .orderBy('p.version', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute()
  return rows.map(({ version, policy, created_at: changedAt, ...changedBy }) => {
    const parsed = parseStoredPolicy(policy)
    const isReadable = 'policy' in parsed
    return { version, policy: isReadable ? parsed.policy : FALLBACK_POLICY, isReadable, changedBy, changedAt }
  })
}
