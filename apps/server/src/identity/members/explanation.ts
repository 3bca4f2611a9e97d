import { type RawBuilder, sql } from 'kysely'

/** What a member says about a decision; no signature covers it. */
export interface Explanation {
  readonly reason?: string | undefined
  /** Address of the evidence, such as an invoice or a ticket. */
  readonly link?: string | undefined
  /** SHA-256 of the evidence in lower-case hex, which proves later that a file is this one. */
  readonly fileSha256?: string | undefined
}

/** An explanation as the tables of decisions store it. */
export interface StoredExplanation {
  readonly reason: string | null
  readonly link: string | null
  readonly file_sha256: string | null
}

export const explanationColumns = (explanation: Explanation | undefined): StoredExplanation => ({
  reason: explanation?.reason ?? null,
  link: explanation?.link ?? null,
  file_sha256: explanation?.fileSha256 ?? null,
})

export const explanationFrom = ({ reason, link, file_sha256 }: StoredExplanation): Explanation => ({
  reason: reason ?? undefined,
  link: link ?? undefined,
  fileSha256: file_sha256 ?? undefined,
})

/** Whether a decision that is inserted gives an explanation. */
export const IS_EXPLAINED: RawBuilder<boolean> = sql<boolean>`(
  excluded.reason is not null or excluded.link is not null or excluded.file_sha256 is not null
)`

/**
 * The new values of columns where a member decides again: replaced if the decision changed or the request gives them, else
 * kept.
 */
export function replacedByDecision<T extends object>(
  table: 'operation_approvals' | 'change_decisions',
  values: T,
  isGiven: RawBuilder<unknown>,
): T {
  const stored = (column: string) => sql.ref(`${table}.${column}`)
  const next = (column: string) => sql`case
    when ${stored('decision')} <> excluded.decision or ${isGiven} then ${sql.ref(`excluded.${column}`)}
    else ${stored(column)}
  end`
  return Object.fromEntries(Object.keys(values).map((column) => [column, next(column)])) as T
}
