import { optional, secret } from './define-setting.ts'
import { oneOf, publicUrl, type SettingParser } from './setting-parsers.ts'

/** A mail server as SMTP_URL names it; `tls` is undefined where the URL does not say. */
interface SmtpUrl {
  readonly host: string
  readonly port: number
  readonly user: string | undefined
  readonly password: string | undefined
  readonly tls: 'implicit' | 'required' | 'optional' | 'off' | undefined
}

/** `smtps://user:password@host` for TLS from the start, or `smtp://host:port?tls=required|optional|off` for STARTTLS. */
const smtpUrl: SettingParser<SmtpUrl> = (text) => {
  const form = 'must be a URL such as smtps://user:password@host:465 or smtp://user:password@host:587?tls=required'
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isImplicit = url?.protocol === 'smtps:'
  if (!url || !(isImplicit || url.protocol === 'smtp:') || url.hostname === '') throw new RangeError(form)
  if (!['', '/'].includes(url.pathname) || url.hash !== '') throw new RangeError(form)
  const { tls, ...others } = Object.fromEntries(url.searchParams)
  if (Object.keys(others).length > 0) throw new RangeError(`${form}; the only parameter is tls`)
  if (tls !== undefined && (isImplicit || !['required', 'optional', 'off'].includes(tls)))
    throw new RangeError(isImplicit ? 'must have no tls parameter: smtps is TLS' : `${form}; tls is one of these three`)
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? (isImplicit ? 465 : 587) : Number(url.port),
    user: url.username === '' ? undefined : decodeURIComponent(url.username),
    password: url.password === '' ? undefined : decodeURIComponent(url.password),
    tls: isImplicit ? 'implicit' : (tls as SmtpUrl['tls']),
  }
}

/** The sender of mail. */
interface FromAddress {
  readonly name: string
  readonly address: string
}

/** `no-reply@acme.example`, or with a name: `Acme Treasury <no-reply@acme.example>`. */
const fromAddress: SettingParser<FromAddress> = (text) => {
  const [, named = '', inBrackets, alone] = /^(?:([^<>@"\p{C}]*)<([^<>\s]+)>|([^<>\s]+))$/u.exec(text.trim()) ?? []
  const address = inBrackets ?? alone ?? ''
  if (!/^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$/.test(address))
    throw new RangeError('must be an email address, or a name with one: Acme <no-reply@acme.example>')
  return { name: named.trim(), address }
}

/** Settings of mail. */
export const MAIL_SETTINGS = {
  smtpUrl: secret(
    'SMTP_URL',
    smtpUrl,
    'Mail server: `smtps://user:password@host:465` (TLS from the start) or `smtp://user:password@host:587` (STARTTLS). In live STARTTLS is required unless the URL ends in `?tls=optional` or `?tls=off`. Unset: in sandbox mail is kept at `/sandbox/mailbox`, in live none is sent and what needs it is refused',
  ),
  mailFrom: optional(
    'MAIL_FROM',
    fromAddress,
    'Sender of mail, such as `Acme Treasury <no-reply@acme.example>`. Required with SMTP_URL',
  ),
  accountUrl: optional(
    'ACCOUNT_URL',
    publicUrl,
    'Page that links in mail lead to, with the action and its token after `#`. Unset: `/account` below PUBLIC_URL, a page of the service',
  ),
  emailVerification: optional(
    'EMAIL_VERIFICATION',
    oneOf('required', 'optional', 'off'),
    'Whether members prove their addresses by a link in an email: `optional`, `off`, or `required`, where an organization exists once its owner confirmed the link, and members are invited. Unset: `optional` where mail can be sent, else `off`',
  ),
} as const

interface MailValues {
  readonly environment: 'sandbox' | 'live'
  readonly publicUrl: string | undefined
  readonly smtpUrl: SmtpUrl | undefined
  readonly mailFrom: FromAddress | undefined
  readonly accountUrl: string | undefined
  readonly emailVerification: 'required' | 'optional' | 'off' | undefined
}

/** Where mail goes out; `smtp` is undefined without a mail server, and `accountUrl` when unset. */
export interface MailConfig {
  readonly smtp: (SmtpUrl & { readonly tls: NonNullable<SmtpUrl['tls']>; readonly from: FromAddress }) | undefined
  readonly accountUrl: string | undefined
  readonly emailVerification: 'required' | 'optional' | 'off'
}

export function mailConfig({ environment, smtpUrl: server, mailFrom, accountUrl, ...values }: MailValues): MailConfig {
  const isLive = environment === 'live'
  return {
    smtp: server && mailFrom && { ...server, tls: server.tls ?? (isLive ? 'required' : 'optional'), from: mailFrom },
    accountUrl,
    emailVerification: values.emailVerification ?? (isLive && server === undefined ? 'off' : 'optional'),
  }
}

/** What the settings of mail require of each other. */
export function mailProblems(values: MailValues): [name: string, sentence: string][] {
  const isLive = values.environment === 'live'
  if (values.smtpUrl === undefined) {
    if (!isLive || values.emailVerification !== 'required') return []
    return [['EMAIL_VERIFICATION', 'must not be required without SMTP_URL when SERVICE_ENV is live']]
  }
  const problems: [string, string][] = []
  if (values.mailFrom === undefined) problems.push(['MAIL_FROM', 'must be set when SMTP_URL is set'])
  if (isLive && values.publicUrl === undefined && values.accountUrl === undefined) {
    const sentence = 'or ACCOUNT_URL must be set when SMTP_URL is set and SERVICE_ENV is live: links lead there'
    problems.push(['PUBLIC_URL', sentence])
  }
  return problems
}
