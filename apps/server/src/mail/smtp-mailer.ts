import type { Transporter } from 'nodemailer'
import {
  SMTP_CONNECT_TIMEOUT_MS,
  SMTP_GREETING_TIMEOUT_MS,
  SMTP_MAIL_TIMEOUT_MS,
  SMTP_SOCKET_TIMEOUT_MS,
} from '../kernel/index.ts'
import type { Mailer, MailOutcome, OutgoingMail } from './port.ts'

/** Where mail is handed in, and how the connection is protected. */
export interface SmtpServer {
  readonly host: string
  readonly port: number
  readonly user: string | undefined
  readonly password: string | undefined
  /**
   * `implicit`: TLS from the first byte. `required`: STARTTLS, or nothing is sent. `optional`: STARTTLS if the server
   * offers it. `off`: never.
   */
  readonly tls: 'implicit' | 'required' | 'optional' | 'off'
  /** Certificates to trust instead of the system's, in PEM. */
  readonly ca?: string
}

/** The sender: an address, with a name if it has one. */
export interface MailSender {
  readonly name: string
  readonly address: string
}

/**
 * Mail through an SMTP server. Each mail has a connection of its own and ends within a minute. A response in the 500s to
 * an address or a message is final; everything else may succeed later: no connection, an untrusted certificate, a
 * refused login, a response in the 400s.
 */
export function createSmtpMailer(server: SmtpServer, from: MailSender): Mailer {
  let transport: Promise<Transporter> | undefined
  return {
    async send(mail, signal) {
      transport ??= openTransport(server)
      try {
        await (await transport).sendMail({
          ...messageOf(mail, from),
          signal: AbortSignal.any([signal, AbortSignal.timeout(SMTP_MAIL_TIMEOUT_MS)]),
        })
        return { outcome: 'sent' }
      } catch (error) {
        const refusal = refusalOf(error)
        if (refusal) return refusal
        throw error
      }
    },
  }
}

/**
 * Connects, greets, starts TLS and logs in as for an email, and sends none. Throws what the server or the network says.
 */
export async function checkSmtpServer(server: SmtpServer): Promise<void> {
  const transport = await openTransport(server)
  try {
    await transport.verify()
  } finally {
    transport.close()
  }
}

/** The library is loaded with the first mail: most processes send none. */
async function openTransport(server: SmtpServer): Promise<Transporter> {
  const { createTransport } = await import('nodemailer')
  return createTransport({
    host: server.host,
    port: server.port,
    ...(server.user !== undefined && { auth: { user: server.user, pass: server.password ?? '' } }),
    secure: server.tls === 'implicit',
    requireTLS: server.tls === 'required',
    ignoreTLS: server.tls === 'off',
    tls: { minVersion: 'TLSv1.2', ...(server.ca !== undefined && { ca: server.ca }) },
    connectionTimeout: SMTP_CONNECT_TIMEOUT_MS,
    dnsTimeout: SMTP_CONNECT_TIMEOUT_MS,
    greetingTimeout: SMTP_GREETING_TIMEOUT_MS,
    socketTimeout: SMTP_SOCKET_TIMEOUT_MS,
    socketCloseTimeout: 0,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}

/** Addresses are objects, never text to parse: one recipient stays one. */
function messageOf(mail: OutgoingMail, from: MailSender) {
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1)
  return {
    from,
    to: { name: '', address: mail.to },
    envelope: { from: from.address, to: [mail.to] },
    messageId: `<${mail.id}@${domain}>`,
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    // Keeps absence notices from answering (RFC 3834).
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
  }
}

/** A final refusal of the address or the message by the server; `undefined` for a problem that may resolve itself. */
function refusalOf(error: unknown): MailOutcome | undefined {
  if (!(error instanceof Error) || !('responseCode' in error) || !('code' in error)) return undefined
  const { responseCode, code } = error as Error & { responseCode: unknown; code: unknown }
  const isFinal = typeof responseCode === 'number' && responseCode >= 500 && responseCode < 600
  return isFinal && (code === 'EENVELOPE' || code === 'EMESSAGE')
    ? { outcome: 'refused', reason: `the mail server refused it with ${responseCode}` }
    : undefined
}
