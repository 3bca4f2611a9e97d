import Type, { type Static } from 'typebox'
import { REASON_LENGTH_MAX, WEBHOOK_URL_LENGTH_MAX } from '../../../kernel/index.ts'
import type { DecisionView, Explanation } from '../../../operations/index.ts'
import { id } from '../../http/index.ts'
import { dateTime } from '../schemas.ts'

const reason = (description: string) => Type.String({ minLength: 1, maxLength: REASON_LENGTH_MAX, description })
const link = (description: string) =>
  Type.String({
    pattern: '^https://[^\\s]+$',
    maxLength: WEBHOOK_URL_LENGTH_MAX,
    description,
    examples: ['https://files.example/invoices/1042.pdf'],
  })

const fileSha256 = (description: string) => Type.String({ pattern: '^[0-9a-f]{64}$', description })

/** What a member may say about a decision. */
export const explanationFields = {
  reason: Type.Optional(
    reason(
      'The reason for your decision. Auditors read it, and the audit log keeps it permanently: name no private persons.',
    ),
  ),
  link: Type.Optional(link('Address of the evidence, such as an invoice or a ticket. Nobody fetches it.')),
  fileSha256: Type.Optional(
    fileSha256('SHA-256 of the evidence, lower-case hex: proves later that a file is the one you decided by.'),
  ),
}

export const explanationOf = ({
  reason,
  link,
  fileSha256: hash,
}: Static<Type.TObject<typeof explanationFields>>): Explanation => ({
  reason,
  link,
  fileSha256: hash,
})

export const Decision = Type.Object(
  {
    userId: id('User id.'),
    email: Type.String({ description: 'Email address of the member.' }),
    decision: Type.Enum(['approve', 'reject'], { description: 'What the member decided.' }),
    counts: Type.Boolean({ description: 'Whether it is one of the approvals that count.' }),
    signed: Type.Boolean({ description: 'Whether it is signed with a passkey.' }),
    reason: Type.Optional(reason('Reason that the member gave; absent if none.')),
    link: Type.Optional(link('Address of the evidence; absent if there is none.')),
    fileSha256: Type.Optional(fileSha256('SHA-256 of the evidence; absent if there is none.')),
    at: dateTime('When the member decided.'),
  },
  { $id: 'OperationDecision', description: 'What one member decided about an operation.' },
)

export const presentDecision = (decision: DecisionView) => {
  const { userId, email, counts, isSigned, reason: why, link: where, fileSha256: hash, at } = decision
  return {
    userId,
    email,
    decision: decision.decision,
    counts,
    signed: isSigned,
    ...(why !== undefined && { reason: why }),
    ...(where !== undefined && { link: where }),
    ...(hash !== undefined && { fileSha256: hash }),
    at: at.toISOString(),
  }
}
