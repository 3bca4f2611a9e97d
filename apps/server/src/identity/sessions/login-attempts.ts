import { sql } from 'kysely'
import type { Database, Tx } from '../../database/index.ts'
import {
  addMilliseconds,
  type Clock,
  Failure,
  LOGIN_ATTEMPTS_SWEEP_BATCH,
  LOGIN_FAILURES_MAX,
  LOGIN_FAILURES_WINDOW_MS,
} from '../../kernel/index.ts'
import { hashSecret } from '../keys/key-material.ts'
import type { IdentityParts } from '../shared/parts.ts'

/**
 * At most ten wrong passwords in any fifteen minutes per account and address (contract 3), counted in the database, so
 * that the count is shared by all processes and survives a restart.
 *
 * An attempt is counted before the password is checked, and cleared when it was right: concurrent guesses get no
 * further than sequential ones. It makes no difference whether the account exists.
 */
export function attemptSubject(pepper: string, email: string, address: string): Buffer {
  return hashSecret(pepper, `login\n${email}\n${address}`)
}

/** Counts an attempt. RATE_LIMIT_EXCEEDED with `details.retryAfterSeconds` when ten are already counted. */
export async function recordAttempt(parts: Pick<IdentityParts, 'db' | 'clock'>, subject: Buffer): Promise<void> {
  const now = parts.clock.now()
  const since = addMilliseconds(now, -LOGIN_FAILURES_WINDOW_MS)
  const claimed = await sql`
    insert into login_attempts as known (subject, attempted_at, last_at)
    values (${subject}, array[${now}::timestamptz], ${now})
    on conflict (subject) do update set
      attempted_at = array(select at from unnest(known.attempted_at) at where at > ${since}) || ${now}::timestamptz,
      last_at = ${now}
    where (select count(*) from unnest(known.attempted_at) at where at > ${since}) < ${LOGIN_FAILURES_MAX}
    returning 1
  `.execute(parts.db)
  if (claimed.rows.length === 0) throw await rateLimitFailure(parts.db, subject, now, since)
}

/** The password was right: the count of its account restarts at this address. */
export async function clearAttempts(tx: Tx, subject: Buffer): Promise<void> {
  await sql`delete from login_attempts where subject = ${subject}`.execute(tx)
}

/** Deletes a few expired attempts; called where attempts are added, so that no job is needed. */
export async function sweepAttempts(parts: { readonly db: Database; readonly clock: Clock }): Promise<void> {
  await sql`
    delete from login_attempts where subject in (
      select subject from login_attempts where last_at <= ${addMilliseconds(parts.clock.now(), -LOGIN_FAILURES_WINDOW_MS)}
      order by last_at limit ${LOGIN_ATTEMPTS_SWEEP_BATCH} for update skip locked
    )
  `.execute(parts.db)
}

async function rateLimitFailure(db: Database, subject: Buffer, now: Date, since: Date): Promise<Failure> {
  const { rows } = await sql<{ oldest: Date | null }>`
    select (select min(at) from unnest(attempted_at) at where at > ${since}) as oldest
    from login_attempts where subject = ${subject}
  `.execute(db)
  const retryAt = addMilliseconds(rows[0]?.oldest ?? since, LOGIN_FAILURES_WINDOW_MS)
  return new Failure('RATE_LIMIT_EXCEEDED', {
    message: 'Too many failed attempts. Try again later.',
    details: { retryAfterSeconds: Math.max(1, Math.ceil((retryAt.getTime() - now.getTime()) / 1_000)) },
  })
}
