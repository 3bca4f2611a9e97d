import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import type { Tx } from '../../database/index.ts'
import {
  APPROVAL_MAILS_PER_ADDRESS_DAY_MAX,
  APPROVAL_MAILS_PER_ADDRESS_HOUR_MAX,
  addMilliseconds,
  currentKey,
  Failure,
  MAILS_OF_ALL_PER_ADDRESS_DAY_MAX,
  MAILS_OF_ALL_PER_ADDRESS_HOUR_MAX,
  MAILS_PER_ADDRESS_DAY_MAX,
  MAILS_PER_ADDRESS_HOUR_MAX,
  type Sealer,
} from '../../kernel/index.ts'
import type { EmailVerification, IdentityParts, MailParts } from '../shared/parts.ts'
import type { MailContent, MailKind, SealedMail } from './mail-content.ts'

type QueueParts = Pick<IdentityParts, 'clock' | 'secrets' | 'mail'>

/** Addresses that no email reaches (RFC 2606), such as those of members who lost theirs. */
const UNREACHABLE = /\.invalid$/

export interface NewMail {
  readonly to: string
  readonly content: MailContent
  /** Whose mail it is: an erasure destroys it. `null`: nobody's yet. */
  readonly organizationId: number | null
  /** The network that requested it, where nobody's account did. */
  readonly network?: string | undefined
  /** How long the email is of use. */
  readonly lifetimeMs: number
}

/**
 * Queues an email in the transaction of its cause; it is sent after the commit. Returns whether it was queued: never
 * without a mail server, and not when the address has had enough emails of this kind.
 */
export async function queueMail(tx: Tx, parts: QueueParts, mail: NewMail): Promise<boolean> {
  const { to, content, lifetimeMs, organizationId, network } = mail
  if (
    parts.mail === undefined ||
    !(await withinMailLimit(tx, parts, { to, kind: content.kind, organizationId, network }))
  )
    return false
  const at = parts.clock.now()
  const recipient = recipientOf(parts, to)
  const sealed: SealedMail = { to, content }
  await tx
    .insertInto('mails')
    .values({
      kind: content.kind,
      organization_id: organizationId,
      recipient,
      requester: requesterOf(parts, network),
      content: sealMail(parts.mail.sealer, { kind: content.kind, recipient }, sealed),
      next_attempt_at: at,
      created_at: at,
      expires_at: addMilliseconds(at, lifetimeMs),
    })
    .execute()
  return true
}

interface Counts {
  readonly hour: number
  readonly day: number
  /** Those that this organization or network caused. */
  readonly ownHour: number
  readonly ownDay: number
}

/**
 * Whether an address may get another email of this kind. One organization or network causes five in an hour and twenty in
 * a day, and cannot use up those of others; all of them cause twenty and sixty. A reset is the same for every requester,
 * so all networks share five and twenty, but one is sent in each hour without any: its link works for an hour, so the
 * address always has one, or gets it. More about approvals.
 */
export async function withinMailLimit(
  tx: Tx,
  parts: QueueParts,
  mail: Pick<NewMail, 'to' | 'organizationId' | 'network'> & { readonly kind: MailKind },
): Promise<boolean> {
  if (UNREACHABLE.test(mail.to)) return false
  const { hour, day, ownHour, ownDay } = await countMails(tx, parts, mail)
  if (mail.kind === 'approval_request')
    return hour < APPROVAL_MAILS_PER_ADDRESS_HOUR_MAX && day < APPROVAL_MAILS_PER_ADDRESS_DAY_MAX
  if (mail.kind === 'password_reset')
    return hour === 0 || (hour < MAILS_PER_ADDRESS_HOUR_MAX && day < MAILS_PER_ADDRESS_DAY_MAX)
  if (hour >= MAILS_OF_ALL_PER_ADDRESS_HOUR_MAX || day >= MAILS_OF_ALL_PER_ADDRESS_DAY_MAX) return false
  return ownHour < MAILS_PER_ADDRESS_HOUR_MAX && ownDay < MAILS_PER_ADDRESS_DAY_MAX
}

async function countMails(
  tx: Tx,
  parts: QueueParts,
  { to, kind, organizationId, network }: Parameters<typeof withinMailLimit>[2],
): Promise<Counts> {
  const at = parts.clock.now()
  const inHour = sql`created_at > ${addMilliseconds(at, -3_600_000)}`
  const isOwn = sql`organization_id is not distinct from ${organizationId}::bigint
    and requester is not distinct from ${requesterOf(parts, network)}::bytea`
  const { rows } = await sql<Counts>`
    select count(*) filter (where ${inHour}) as hour, count(*) as day,
      count(*) filter (where ${inHour} and ${isOwn}) as "ownHour", count(*) filter (where ${isOwn}) as "ownDay"
    from mails
    where recipient = ${recipientOf(parts, to)} and kind = ${kind} and created_at > ${addMilliseconds(at, -86_400_000)}
  `.execute(tx)
  return rows[0] ?? { hour: 0, day: 0, ownHour: 0, ownDay: 0 }
}

/** The part that sends mail. FORBIDDEN, with the reason `mail_unavailable`, where the service has no mail server. */
export function requireMail(parts: Pick<IdentityParts, 'mail'>): MailParts {
  if (parts.mail !== undefined) return parts.mail
  throw new Failure('FORBIDDEN', {
    message: 'This service has no mail server, so it cannot send the email that this needs.',
    details: { reason: 'mail_unavailable' },
  })
}

/** `off` without a mail server: nobody could prove an address. */
export function emailVerificationOf(parts: Pick<IdentityParts, 'mail'>): EmailVerification {
  return parts.mail?.emailVerification ?? 'off'
}

/** The row that sealed content belongs to. */
interface MailRow {
  readonly kind: string
  readonly recipient: Buffer
}

/** An email opens only as what it was sealed for. */
export const mailLabel = ({ kind, recipient }: MailRow): string => `mail ${kind} ${recipient.toString('hex')}`

function sealMail(sealer: Sealer, row: MailRow, mail: SealedMail): Buffer {
  return sealer.seal(JSON.stringify(mail), mailLabel(row))
}

/** Throws when the content was sealed with another key, or for another address or kind. */
export function openMail(sealer: Sealer, row: MailRow & { readonly content: Buffer }): SealedMail {
  return JSON.parse(sealer.open(row.content, mailLabel(row))) as SealedMail
}

function recipientOf(parts: Pick<IdentityParts, 'secrets'>, to: string): Buffer {
  return createHmac('sha256', currentKey(parts.secrets.pepper)).update(`mail\n${to}`).digest()
}

function requesterOf(parts: Pick<IdentityParts, 'secrets'>, network: string | undefined): Buffer | null {
  if (network === undefined) return null
  return createHmac('sha256', currentKey(parts.secrets.pepper)).update(`mail requester\n${network}`).digest()
}
