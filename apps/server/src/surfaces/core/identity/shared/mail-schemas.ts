import Type from 'typebox'
import { TOKEN_LENGTH_MAX } from '../../../../kernel/index.ts'
import { ok } from '../../../http/index.ts'

/** A token from an email; longer text is not a token. */
export const mailToken = Type.String({
  minLength: 1,
  maxLength: TOKEN_LENGTH_MAX,
  description: 'The token from the email.',
})

export const takeAddress = Type.Optional(
  Type.Boolean({
    description:
      'Whether to take the address over from an account that never proved it. That account keeps everything but the address. False by default.',
  }),
)

export const MailSent = Type.Object(
  { mail: Type.Literal('queued', { description: 'Always queued.' }) },
  {
    $id: 'MailSent',
    description: 'An email is sent if there is something to send. The response is the same if there is not.',
  },
)

export const presentMailSent = () => ok({ mail: 'queued' as const })
