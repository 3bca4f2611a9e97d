import type { Database, Tx } from '../../database/index.ts'
import { APPROVER_ROLES, type Environment } from '../../identity/index.ts'
import type { Operation } from '../lifecycle/states/operation.ts'
import { type ApprovalContent, readApprovalContent } from './approval-content.ts'
import { countApprovals } from './count-approvals.ts'

/** The WebAuthn assertion with which a member approved an operation. */
export interface ApprovalSignature {
  readonly userId: number
  readonly credentialId: Buffer
  readonly authenticatorData: Buffer
  readonly clientData: Buffer
  readonly signature: Buffer
}

export interface SignedApproval {
  readonly content: ApprovalContent
  /** In the order of the members' ids. */
  readonly signatures: readonly ApprovalSignature[]
}

/**
 * The signatures of the members who have approved an operation and may still approve, for the agent; `undefined` if there
 * are none. The requester's is left out where it does not count. An operation that needed no approval costs no statement.
 */
export async function readSignedApproval(
  db: Database | Tx,
  environment: Environment,
  operation: Operation,
): Promise<SignedApproval | undefined> {
  const { organizationId, operationId, requiredApprovals } = operation
  if (requiredApprovals === 0) return undefined
  const rows = await db
    .selectFrom('operation_approvals as approval')
    .innerJoin('users as member', (join) =>
      join.onRef('member.organization_id', '=', 'approval.organization_id').onRef('member.id', '=', 'approval.user_id'),
    )
    .select(['user_id', 'credential_id', 'authenticator_data', 'client_data', 'signature'])
    .where('approval.organization_id', '=', organizationId)
    .where('approval.operation_id', '=', operationId)
    .where('approval.decision', '=', 'approve')
    .where('approval.signature', 'is not', null)
    .where('member.removed_at', 'is', null)
    .where('member.role', 'in', APPROVER_ROLES)
    .orderBy('user_id')
    .execute()
  if (rows.length === 0) return undefined
  const { excludedUserId } = await countApprovals(db, operation)
  const signatures = rows
    .filter(({ user_id }) => user_id !== excludedUserId)
    .map((row) => ({
      userId: row.user_id,
      // A constraint of the table: a signature is stored whole or not at all.
      credentialId: row.credential_id!,
      authenticatorData: row.authenticator_data!,
      clientData: row.client_data!,
      signature: row.signature!,
    }))
  return { content: await readApprovalContent(db, environment, operation), signatures }
}
