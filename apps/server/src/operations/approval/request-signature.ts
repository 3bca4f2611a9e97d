import { type IdentityParts, type PasskeyRequest, requestPasskey, type Scope } from '../../identity/index.ts'
import { getOperation } from '../lifecycle/conflicts/get-operation.ts'
import type { Parts } from '../lifecycle/parts.ts'
import { type ApprovalContent, approvalChallenge, approvalText, readApprovalContent } from './approval-content.ts'
import { requirePendingApproval } from './approve-operation.ts'
import { areSignaturesRequired } from './signatures-required.ts'

/** What an approver signs, and what the browser needs for it. */
export interface SignatureRequest {
  /** Whether an approval without a signature is refused. */
  readonly required: boolean
  readonly content: ApprovalContent
  /** What the signature is over, for people to read. */
  readonly text: string
  /** The request to the passkeys of this user; `null` if they have none. */
  readonly passkey: PasskeyRequest | null
}

/**
 * What a user signs with a passkey to approve an operation. The challenge is the hash of the content, so it counts for
 * nothing else, and asking twice returns the same. Errors: OPERATION_NOT_FOUND, INVALID_OPERATION_STATUS.
 */
export async function requestSignature(
  parts: Pick<Parts, 'db' | 'clock'> & Pick<IdentityParts, 'environment' | 'factors'>,
  { scope, operationId, userId }: { readonly scope: Scope; readonly operationId: number; readonly userId: number },
): Promise<SignatureRequest> {
  const operation = await getOperation(parts, scope, operationId)
  requirePendingApproval(operation)
  const { organizationId } = operation
  const content = await readApprovalContent(parts.db, parts.environment, operation)
  const text = approvalText(content)
  const request = await requestPasskey(parts.db, parts, { organizationId, userId }, approvalChallenge(text))
  return {
    required: await areSignaturesRequired(parts.db, organizationId),
    content,
    text,
    passkey: request.allowCredentials.length === 0 ? null : request,
  }
}
