import Type from 'typebox'
import { EMAIL_LENGTH_MAX, Failure } from '../../kernel/index.ts'
import { getStoredMail, listMailbox, type MailboxParts, type StoredMail } from '../../mail/index.ts'
import { type App, envelope, id, idParams, ok, pageQuery, totalCount } from '../http/index.ts'
import { isLoopbackHost, requireLocalCaller } from './local-caller.ts'
import { dateTime } from './schemas.ts'

const summary = {
  id: id('Mail id.'),
  to: Type.String({ description: 'The address that it was sent to.' }),
  subject: Type.String({ description: 'Subject.' }),
  createdAt: dateTime('When it was sent.'),
}
const MailSummary = Type.Object(summary, {
  $id: 'MailSummary',
  description: 'An email in the mailbox, without its text.',
})
const MailData = Type.Object(
  {
    ...summary,
    text: Type.String({ description: 'The email as plain text, with its link.' }),
    html: Type.String({ description: 'The email as HTML.' }),
  },
  { $id: 'Mail', description: 'An email in the mailbox.' },
)

const summaryOf = ({ id: mailId, to, subject, createdAt }: StoredMail) => ({
  id: mailId,
  to,
  subject,
  createdAt: createdAt.toISOString(),
})

const config = { access: 'open', limit: 'anonymous', localOnly: true } as const
const tags = ['Sandbox']

/**
 * The emails that the sandbox keeps instead of sending them. They open every account, so only the operator of the
 * machine reads them: over loopback, and only while the service is not published under another address, because a proxy
 * on this machine may not show whom it forwards.
 */
export function sandboxMailboxRoutes(app: App, parts: MailboxParts, publicUrl: string): void {
  const admit = (request: Parameters<typeof requireLocalCaller>[0]) => {
    requireLocalCaller(request)
    if (isPublished(publicUrl)) {
      throw new Failure('FORBIDDEN', {
        message: 'The mailbox is closed because PUBLIC_URL is not a loopback address. Set SMTP_URL to send mail.',
      })
    }
  }

  app.get(
    '/sandbox/mailbox',
    {
      config,
      schema: {
        tags,
        operationId: 'listSandboxMails',
        summary: 'List the emails of the sandbox',
        description:
          'The newest 500 emails that the sandbox kept instead of sending them, newest first. Only callers on the same machine with a loopback Host are accepted, and none if `PUBLIC_URL` is another address; others get 403 FORBIDDEN. Empty if `SMTP_URL` is set. `X-Total-Count` holds the total.',
        querystring: Type.Object({
          ...pageQuery,
          to: Type.Optional(
            Type.String({ maxLength: EMAIL_LENGTH_MAX, description: 'Only emails to this address, in lower case.' }),
          ),
        }),
        response: { 200: envelope(Type.Array(MailSummary), 'The emails.') },
      },
    },
    async (request, reply) => {
      admit(request)
      const { to, limit, offset } = request.query
      if (to?.includes('\0')) return ok([])
      const { items, total } = await listMailbox(parts, { to, limit, offset })
      totalCount(reply, total)
      return ok(items.map(summaryOf))
    },
  )

  app.get(
    '/sandbox/mailbox/:id',
    {
      config,
      schema: {
        tags,
        operationId: 'getSandboxMail',
        summary: 'Get an email of the sandbox',
        description: 'One email of the mailbox with its text. The same callers are accepted.',
        params: idParams('Mail id.'),
        response: { 200: envelope(MailData, 'The email.') },
      },
    },
    async (request) => {
      admit(request)
      const mail = await getStoredMail(parts, request.params.id)
      return ok({ ...summaryOf(mail), text: mail.text, html: mail.html })
    },
  )
}

/** Whether callers use an address other than this machine's; `0.0.0.0` only says that it listens on every one. */
function isPublished(publicUrl: string): boolean {
  const { host, hostname } = new URL(publicUrl)
  return !isLoopbackHost(host) && hostname !== '0.0.0.0' && hostname !== '[::]'
}
