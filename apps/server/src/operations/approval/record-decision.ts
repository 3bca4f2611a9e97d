import type { Tx } from '../../database/index.ts'
import type { VerifiedAssertion } from '../../identity/index.ts'
import type { Operation } from '../lifecycle/operation.ts'

export interface Decision {
  readonly operation: Operation
  readonly userId: number
  readonly decision: 'approve' | 'reject'
  readonly at: Date
  /** Of an approval that was signed with a passkey. */
  readonly signature?: VerifiedAssertion | undefined
}

/**
 * Records who approved or rejected an operation, and when. A repeated decision changes nothing (contract 7), unless it
 * is signed: the latest signature counts.
 */
export async function recordDecision(
  tx: Tx,
  { operation: { organizationId, operationId }, userId, decision, at, signature }: Decision,
): Promise<void> {
  const signed = {
    credential_id: signature?.credentialId ?? null,
    authenticator_data: signature?.authenticatorData ?? null,
    client_data: signature?.clientData ?? null,
    signature: signature?.signature ?? null,
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
    })
    .onConflict((conflict) =>
      conflict
        .columns(['organization_id', 'operation_id', 'user_id'])
        .doUpdateSet(signature === undefined ? { decision, ...signed } : { decision, ...signed, created_at: at })
        .where(({ eb, or }) =>
          or([eb('operation_approvals.decision', '<>', decision), eb('excluded.signature', 'is not', null)]),
        ),
    )
    .execute()
}
