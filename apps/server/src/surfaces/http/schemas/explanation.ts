import Type, { type Static } from 'typebox'
import type { Explanation } from '../../../identity/index.ts'
import { REASON_LENGTH_MAX, WEBHOOK_URL_LENGTH_MAX } from '../../../kernel/index.ts'

/** Why a member decides so, on an operation or on a change request. */

const reasonText = (description: string) => Type.String({ minLength: 1, maxLength: REASON_LENGTH_MAX, description })
const linkText = (description: string) =>
  Type.String({
    pattern: '^https://[^\\s]+$',
    maxLength: WEBHOOK_URL_LENGTH_MAX,
    description,
    examples: ['https://files.example/invoices/1042.pdf'],
  })
const hashText = (description: string) => Type.String({ pattern: '^[0-9a-f]{64}$', description })

/** What a member may say about a decision. */
export const explanationFields = {
  reason: Type.Optional(
    reasonText(
      'The reason for your decision. Auditors read it, and the audit log keeps it permanently: name no private persons.',
    ),
  ),
  link: Type.Optional(linkText('Address of the evidence, such as an invoice or a ticket. Nobody fetches it.')),
  fileSha256: Type.Optional(
    hashText('SHA-256 of the evidence, lower-case hex: proves later that a file is the one you decided by.'),
  ),
}

/** Where the audit log finds them. */
export const EXPLANATION_DETAILS = ['body.reason', 'body.link', 'body.fileSha256'] as const

export const explanationOf = ({
  reason,
  link,
  fileSha256,
}: Static<Type.TObject<typeof explanationFields>>): Explanation => ({ reason, link, fileSha256 })

/** What a member said about a decision. */
export const givenExplanation = {
  reason: Type.Optional(reasonText('Reason that the member gave; absent if none.')),
  link: Type.Optional(linkText('Address of the evidence; absent if there is none.')),
  fileSha256: Type.Optional(hashText('SHA-256 of the evidence; absent if there is none.')),
}

export const presentExplanation = ({ reason, link, fileSha256 }: Explanation) => ({
  ...(reason !== undefined && { reason }),
  ...(link !== undefined && { link }),
  ...(fileSha256 !== undefined && { fileSha256 }),
})
