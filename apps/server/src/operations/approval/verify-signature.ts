import type { Tx } from '../../database/index.ts'
import {
  consumeAssertion,
  type IdentityParts,
  type PasskeyAssertion,
  type VerifiedAssertion,
} from '../../identity/index.ts'
import { Failure } from '../../kernel/index.ts'
import type { Operation } from '../lifecycle/states/operation.ts'
import { approvalChallenge, approvalText, readApprovalContent } from './approval-content.ts'
import { areSignaturesRequired } from './signatures-required.ts'

/**
 * Checks the signature of an approval: one of the user's own passkeys, over the content of this operation as it is
 * stored now. `undefined` for an approval without one, where the organization requires none. FORBIDDEN with
 * `details.reason` `signature_required` or `signature_invalid`.
 */
export async function verifySignature(
  tx: Tx,
  parts: Pick<IdentityParts, 'clock' | 'environment' | 'factors'>,
  {
    operation,
    userId,
    passkey,
  }: { readonly operation: Operation; readonly userId: number; readonly passkey: PasskeyAssertion | undefined },
): Promise<VerifiedAssertion | undefined> {
  const { organizationId } = operation
  if (passkey === undefined) {
    if (!(await areSignaturesRequired(tx, organizationId))) return undefined
    throw new Failure('FORBIDDEN', {
      message: 'Your organization requires that you sign this approval with a passkey.',
      details: { reason: 'signature_required' },
    })
  }
  const text = approvalText(await readApprovalContent(tx, parts.environment, operation))
  const challenge = approvalChallenge(text)
  const verified = await consumeAssertion(tx, parts, { organizationId, userId }, { assertion: passkey, challenge })
  if (verified !== undefined) return verified
  throw new Failure('FORBIDDEN', {
    message: 'The signature is not by one of your passkeys over this operation.',
    details: { reason: 'signature_invalid' },
    refusal: { reason: 'wrong_approval_signature' },
  })
}
