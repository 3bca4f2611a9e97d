import { sql } from 'kysely'
import { isDatabaseUnavailable } from '../database/index.ts'
import { openMail, type SealedMail } from '../identity/index.ts'
import {
  createOutageLog,
  MAIL_RETRY_AFTER_MS,
  MAILS_BATCH,
  MAILS_CONCURRENCY,
  MissingKeyError,
  type OutageLog,
  withCleanup,
} from '../kernel/index.ts'
import { composeMail } from './compose-mail.ts'
import type { MailDeliveryParts } from './parts.ts'
import type { MailOutcome } from './port.ts'

interface DueMail {
  readonly id: number
  readonly kind: string
  readonly recipient: Buffer
  readonly content: Buffer
  /** This one included. */
  readonly attempts: number
  readonly expires_at: Date
  readonly created_at: Date
}

/**
 * Sends the emails that are due, a few at once, and returns how many it tried. Concurrent callers send different ones.
 *
 * An attempt is counted, and the next one scheduled, before it begins: a process that dies while it sends leads to one
 * more mail with the same id, after the usual pause, and never to a flood. `onAttempt` is called after each one. A sent email loses its content, token
 * included. An email is given up when the server refuses it for good, when its attempts are used up, and when it
 * expires. One whose key this process lacks waits for a process that has it.
 */
export async function deliverMails(
  parts: MailDeliveryParts,
  signal: AbortSignal,
  onAttempt = () => {},
): Promise<number> {
  const due = await claimDue(parts)
  const waiting = [...due]
  const errors: unknown[] = []
  const work = Array.from({ length: MAILS_CONCURRENCY }, async () => {
    try {
      // After an error nobody could record that an email was sent, and it would be sent again.
      while (errors.length === 0 && !signal.aborted) {
        const mail = waiting.shift()
        if (mail === undefined) return
        await deliver(parts, mail, signal)
        onAttempt()
      }
    } catch (error) {
      errors.push(error)
    }
  })
  // Emails that are being sent are waited for: a process that stops does not end in the middle of one.
  await Promise.all(work)
  return await withCleanup(
    async () => {
      if (errors.length > 0) throw errors[0]
      return due.length - waiting.length
    },
    () => giveBack(parts, waiting),
  )
}

/** Counts an attempt of each email that is due and schedules the next. */
async function claimDue({ db, clock }: MailDeliveryParts): Promise<DueMail[]> {
  const now = clock.now()
  const delays = sql`(${[...MAIL_RETRY_AFTER_MS]}::bigint[])[least(attempts + 1, ${MAIL_RETRY_AFTER_MS.length})]`
  const { rows } = await sql<DueMail>`
    update mails set attempts = attempts + 1, next_attempt_at = ${now}::timestamptz + ${delays} * interval '1 millisecond'
    where id in (
      select id from mails where next_attempt_at <= ${now} order by next_attempt_at, id limit ${MAILS_BATCH}
      for update skip locked
    )
    returning id, kind, recipient, content, attempts, expires_at, created_at
  `.execute(db)
  return rows
}

/** Emails that were claimed and not begun lose no attempt, and the next call sends them. */
async function giveBack({ db, clock }: MailDeliveryParts, mails: readonly DueMail[]): Promise<void> {
  if (mails.length === 0) return
  const claimed = JSON.stringify(mails.map(({ id, attempts }) => ({ id, attempts })))
  // Not one that was due again meanwhile, and claimed by another process.
  await sql`
    update mails m set attempts = m.attempts - 1, next_attempt_at = ${clock.now()}
    from jsonb_to_recordset(${claimed}::jsonb) as c(id bigint, attempts integer)
    where m.id = c.id and m.attempts = c.attempts and m.next_attempt_at is not null
  `.execute(db)
}

async function deliver(parts: MailDeliveryParts, mail: DueMail, signal: AbortSignal): Promise<void> {
  const { log } = parts
  if (mail.expires_at <= parts.clock.now()) return giveUp(parts, mail, 'it expired before a mail server accepted it')
  try {
    const opened = open(parts, mail)
    if (opened === undefined) return await giveUp(parts, mail, 'it was sealed with another key')
    const result = await send(parts, mail, { ...opened, signal })
    if (result.outcome === 'refused') return giveUp(parts, mail, result.reason)
    await end(parts, mail.id, { sent_at: parts.clock.now(), failure: null })
    outageOf(parts).recovered()
    log.info({ mail: mail.id, kind: mail.kind, attempts: mail.attempts }, 'mail sent')
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error
    if (signal.aborted) return
    const reason = reasonOf(error)
    if (mail.attempts > MAIL_RETRY_AFTER_MS.length) return await giveUp(parts, mail, reason)
    await parts.db.updateTable('mails').set({ failure: reason }).where('id', '=', mail.id).execute()
    outageOf(parts).failed({ mail: mail.id, kind: mail.kind, attempts: mail.attempts, reason })
  }
}

const OUTAGES = new WeakMap<MailDeliveryParts['mailer'], OutageLog>()

/** An unavailable mail server delays every email, and is logged once. */
function outageOf({ mailer, log }: MailDeliveryParts): OutageLog {
  const known = OUTAGES.get(mailer)
  if (known) return known
  const outage = createOutageLog(log, { away: 'mail not sent; retrying', back: 'mail can be sent again' })
  OUTAGES.set(mailer, outage)
  return outage
}

function open({ sealer }: MailDeliveryParts, mail: DueMail): SealedMail | undefined {
  try {
    return openMail(sealer, mail)
  } catch (error) {
    if (error instanceof MissingKeyError) throw error
    return undefined
  }
}

async function send(
  { mailer, accountUrl }: MailDeliveryParts,
  mail: DueMail,
  { to, content, signal }: SealedMail & { readonly signal: AbortSignal },
): Promise<MailOutcome> {
  if (!isPlainAddress(to)) return { outcome: 'refused', reason: 'no email can be sent to the address' }
  const id = `${mail.id}.${mail.created_at.getTime().toString(36)}`
  return await mailer.send({ id, to, ...composeMail(content, accountUrl) }, signal)
}

/** One address, free of characters that separate, quote, hide or end a header. */
function isPlainAddress(address: string): boolean {
  return /^[^\s\p{C}\p{Z}",:;<>()[\]\\@]+@[^\s\p{C}\p{Z}",:;<>()[\]\\@]+$/u.test(address)
}

/** The codes of an error, without its text: servers may repeat addresses or anything else. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const { code, responseCode, cause } = error as Error & { code?: unknown; responseCode?: unknown }
  const inner = cause instanceof Error ? (cause as Error & { code?: unknown }).code : undefined
  const known = [code, responseCode, inner].filter((part) => /^\w{1,60}$/.test(String(part ?? '')))
  return known.length > 0 ? known.join(' ') : error.name
}

async function giveUp(parts: MailDeliveryParts, { id, kind, attempts }: DueMail, reason: string): Promise<void> {
  await end(parts, id, { sent_at: null, failure: reason })
  parts.log.warn({ mail: id, kind, attempts, reason }, 'gave up on an email')
}

/** Ends an email and forgets its content. */
async function end(
  { db }: MailDeliveryParts,
  id: number,
  outcome: { readonly sent_at: Date | null; readonly failure: string | null },
): Promise<void> {
  await db
    .updateTable('mails')
    .set({ ...outcome, content: null, next_attempt_at: null })
    .where('id', '=', id)
    .execute()
}
