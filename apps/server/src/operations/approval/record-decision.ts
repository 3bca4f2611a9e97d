import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../database/index.ts'
import type { VerifiedAssertion } from '../../identity/index.ts'
import type { Operation } from '../lifecycle/states/operation.ts'

/** What a member says about a decision; no signature covers it. */
export interface Explanation {
  readonly reason?: string | undefined
  /** Address of the evidence, such as an invoice or a ticket. */
  readonly link?: string | undefined
  /** SHA-256 of the evidence in lower-case hex, which proves later that a file is this one. */
  readonly fileSha256?: string | undefined
}

export interface Decision {
  readonly operation: Operation
  readonly userId: number
  readonly decision: 'approve' | 'reject'
  readonly at: Date
  /** Of an approval that was signed with a passkey. */
  readonly signature?: VerifiedAssertion | undefined
  readonly explanation?: Explanation | undefined
}

/**
 * Records who approved or rejected an operation, when, and why. A repeated decision changes nothing (contract 7), unless
 * it is signed or explained: the latest signature and the latest explanation count.
 */
export async function recordDecision(
  tx: Tx,
  { operation: { organizationId, operationId }, userId, decision, at, signature, explanation }: Decision,
): Promise<void> {
  const signed = {
    credential_id: signature?.credentialId ?? null,
    authenticator_data: signature?.authenticatorData ?? null,
    client_data: signature?.clientData ?? null,
    signature: signature?.signature ?? null,
  }
  const explained = {
    reason: explanation?.reason ?? null,
    link: explanation?.link ?? null,
    file_sha256: explanation?.fileSha256 ?? null,
  }
  await tx
    .insertInto('operation_approvals')
    .values({
      organization_id: organizationId,
      operation_id: operationId,
      user_id: userId,
      decision,
      created_at: at,
      ...signed,
      ...explained,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['organization_id', 'operation_id', 'user_id'])
        .doUpdateSet({
          decision,
          ...replaced(signed, sql`excluded.signature is not null`),
          ...replaced(explained, IS_EXPLAINED),
          ...(signature && { created_at: at }),
        })
        .where(({ eb, or }) =>
          or([
            eb('operation_approvals.decision', '<>', decision),
            eb('excluded.signature', 'is not', null),
            IS_EXPLAINED,
          ]),
        ),
    )
    .execute()
}

const IS_EXPLAINED = sql<boolean>`(
  excluded.reason is not null or excluded.link is not null or excluded.file_sha256 is not null
)`

/** The new values of the columns: replaced if the decision changed or the request gives them, else kept. */
function replaced<T extends object>(values: T, isGiven: RawBuilder<unknown>): T {
  const next = (column: string) => sql`case
    when operation_approvals.decision <> excluded.decision or ${isGiven} then ${sql.ref(`excluded.${column}`)}
    else ${sql.ref(`operation_approvals.${column}`)}
  end`
  return Object.fromEntries(Object.keys(values).map((column) => [column, next(column)])) as T
}
