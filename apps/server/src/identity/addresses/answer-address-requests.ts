import { sql } from 'kysely'
import { inTransaction, isDatabaseUnavailable, type Tx } from '../../database/index.ts'
import { ADDRESS_REQUEST_KEPT_MS, ADDRESS_REQUESTS_BATCH, MissingKeyError, outageLogsBy } from '../../kernel/index.ts'
import { issueToken, TOKEN_LIFETIMES } from '../mail/account-token.ts'
import { queueMail, withinMailLimit } from '../mail/queue-mail.ts'
import { findAccount } from '../sessions/find-account.ts'
import type { IdentityParts } from '../shared/parts.ts'
import { openAddressRequest, type PendingRegistration } from './address-request.ts'
import { findAddressHolder } from './release-address.ts'

/** The keys of a process do not change: the wait ends in another process, or at the next start. */
const waitsOf = outageLogsBy({ away: 'a request about an email address waits for a process that has its key' })

type AnswerParts = Pick<IdentityParts, 'db' | 'clock' | 'random' | 'secrets' | 'mail' | 'log'>

/**
 * Answers stored requests about addresses by mail, oldest first, each in one transaction with its deletion: a crash
 * neither loses nor repeats one. An address without an account gets nothing for a password reset. A request whose key
 * this process lacks waits an hour for a process that has it. Returns how many.
 */
export async function answerAddressRequests(parts: AnswerParts, signal?: AbortSignal): Promise<number> {
  let answered = 0
  const left: number[] = []
  while (answered < ADDRESS_REQUESTS_BATCH && !signal?.aborted && (await answerOldest(parts, left))) answered += 1
  return answered - left.length
}

/** `left` collects the requests that this process cannot read. */
async function answerOldest(parts: AnswerParts, left: number[]): Promise<boolean> {
  let request: StoredRequest | undefined
  try {
    return await inTransaction(parts.db, async (tx) => {
      request = await takeOldest(tx, left)
      if (request === undefined) return false
      await answer(tx, parts, request.content)
      return true
    })
  } catch (error) {
    if (request === undefined || isDatabaseUnavailable(error)) throw error
    const age = parts.clock.now().getTime() - request.created_at.getTime()
    if (error instanceof MissingKeyError && age < ADDRESS_REQUEST_KEPT_MS) {
      waitsOf(parts.log, parts.log).failed({}, { err: error })
      left.push(request.id)
      return true
    }
    parts.log.error({ err: error }, 'failed to process a request about an email address; dropped it')
    await parts.db.deleteFrom('address_requests').where('id', '=', request.id).execute()
    return true
  }
}

interface StoredRequest {
  readonly id: number
  readonly content: Buffer
  readonly created_at: Date
}

async function takeOldest(tx: Tx, left: readonly number[]): Promise<StoredRequest | undefined> {
  const { rows } = await sql<StoredRequest>`
    delete from address_requests where id = (
      select id from address_requests where id <> all(${left}::bigint[]) order by id limit 1 for update skip locked
    ) returning id, content, created_at
  `.execute(tx)
  return rows[0]
}

async function answer(tx: Tx, parts: AnswerParts, content: Buffer): Promise<void> {
  if (parts.mail === undefined) return
  const request = openAddressRequest(parts.mail, content)
  if (request.kind === 'password_reset') await sendPasswordReset(tx, parts, request.email)
  else await sendRegistration(tx, parts, request)
}

/** Removed members and deleted organizations have no account; members of a single sign-on would get no email here. */
async function sendPasswordReset(tx: Tx, parts: AnswerParts, email: string): Promise<void> {
  const found = await findAccount(tx, { email })
  if (found === undefined) return
  const { user, organization } = found.account
  const limited = { to: email, kind: 'password_reset', organizationId: organization.id } as const
  if (!(await withinMailLimit(tx, parts, limited))) return
  const token = await issueToken(tx, parts, {
    purpose: 'password_reset',
    email,
    user: { organizationId: organization.id, id: user.id },
  })
  await queueMail(tx, parts, {
    to: email,
    content: { kind: 'password_reset', organizationName: organization.name, token },
    lifetimeMs: TOKEN_LIFETIMES.password_reset,
    organizationId: organization.id,
  })
}

async function sendRegistration(tx: Tx, parts: AnswerParts, pending: PendingRegistration): Promise<void> {
  const { email, organizationName, network } = pending
  const lifetimeMs = TOKEN_LIFETIMES.registration
  const holder = await findAddressHolder(tx, email)
  if (holder?.isProved) {
    const content = { kind: 'registration_of_member', organizationName: holder.organizationName } as const
    await queueMail(tx, parts, { to: email, content, lifetimeMs, organizationId: null, network })
    return
  }
  if (!(await withinMailLimit(tx, parts, { to: email, kind: 'registration', organizationId: null, network }))) return
  const token = await issueToken(tx, parts, {
    purpose: 'registration',
    email,
    sealRegistration: (label) => parts.mail!.sealer.seal(JSON.stringify(pending), label),
  })
  const content = { kind: 'registration', organizationName, heldIn: holder?.organizationName ?? null, token } as const
  await queueMail(tx, parts, { to: email, content, lifetimeMs, organizationId: null, network })
}
