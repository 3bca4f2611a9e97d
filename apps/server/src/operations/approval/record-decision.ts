import { sql } from 'kysely'
import type { Tx } from '../../database/index.ts'
import {
  type Explanation,
  explanationColumns,
  IS_EXPLAINED,
  replacedByDecision,
  type VerifiedAssertion,
} from '../../identity/index.ts'
import type { Operation } from '../lifecycle/states/operation.ts'

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
  const explained = explanationColumns(explanation)
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
          ...replacedByDecision('operation_approvals', signed, sql`excluded.signature is not null`),
          ...replacedByDecision('operation_approvals', explained, IS_EXPLAINED),
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
