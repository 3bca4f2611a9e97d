import { type RawBuilder, sql } from 'kysely'
import { type Database, inTransaction, type Tx } from '../../database/index.ts'
import {
  addMilliseconds,
  type Clock,
  Failure,
  LOGIN_ACCOUNT_FAILURES_MAX,
  LOGIN_ACCOUNT_PAUSE_MAX_MS,
  LOGIN_ACCOUNT_PAUSE_MIN_MS,
  LOGIN_ACCOUNT_WINDOW_MS,
  LOGIN_ATTEMPTS_SWEEP_BATCH,
  LOGIN_FAILURES_MAX,
  LOGIN_FAILURES_WINDOW_MS,
} from '../../kernel/index.ts'
import { hashSecret } from '../keys/key-material.ts'
import type { IdentityParts } from '../shared/parts.ts'

/**
 * What is guessed, of which account, and from where. Each kind has digests of its own. Only an email is text of callers,
 * so none of them can send what another kind counts.
 */
export type GuessedSecret =
  | {
      readonly kind: 'password'
      readonly email: string
      readonly address: string
      /** The password is random and long, and its owner came back because of the guesses of others. */
      readonly isUnguessable?: boolean | undefined
    }
  | {
      readonly kind: 'second_factor' | 'new_app'
      readonly user: { readonly organizationId: number; readonly userId: number }
      readonly address: string
    }

/** A guess that was counted, and the digests that it counts for. */
export interface LoginAttempt {
  readonly at: Date
  readonly perAddress: Buffer
  readonly perAccount: Buffer
  /** The account and the address, remembered when the account logs in from there. */
  readonly origin: Buffer
}

/**
 * At most ten wrong guesses in any fifteen minutes per account and address (contract 3); from addresses that the
 * account has not logged in from, also fifty a day in all, and then one after a growing pause. An address that the
 * account has logged in from keeps its own ten, so that guesses from elsewhere lock nobody out. Guesses at the password of
 * a recovery count per address only. Counts are in the database: all processes share them, and they survive a restart.
 *
 * An attempt is counted before the password is checked, and cleared when it was right, so concurrent guesses get no
 * further than sequential ones. It makes no difference whether the account exists. RATE_LIMIT_EXCEEDED with
 * `details.retryAfterSeconds`; a refused attempt does not count.
 */
export async function recordAttempt(
  parts: Pick<IdentityParts, 'db' | 'clock' | 'secrets'>,
  guessed: GuessedSecret,
): Promise<LoginAttempt> {
  const attempt = attemptOf(parts, guessed)
  return await inTransaction(parts.db, async (tx) => {
    await countForAddress(tx, attempt)
    if (guessed.kind === 'password' && guessed.isUnguessable) return attempt
    const known = await tx
      .selectFrom('login_addresses')
      .select('subject')
      .where('subject', '=', attempt.origin)
      .execute()
    if (known.length === 0) await countForAccount(tx, attempt)
    return attempt
  })
}

/** An attempt that was not counted: the account and address to remember after a login in two steps. */
export function attemptOf(
  { clock, secrets }: Pick<IdentityParts, 'clock' | 'secrets'>,
  guessed: GuessedSecret,
): LoginAttempt {
  const digest = (text: string) => hashSecret(secrets.pepper, text)
  const name = LABELS[guessed.kind]
  const account = guessed.kind === 'password' ? guessed.email : `${guessed.user.organizationId}/${guessed.user.userId}`
  return {
    at: clock.now(),
    perAddress: digest(`${name}\n${account}\n${guessed.address}`),
    perAccount: digest(`${name} account\n${account}`),
    origin: digest(`${name} origin\n${account}\n${guessed.address}`),
  }
}

/** Where the digests of each kind begin; a line break follows, which no label has. */
const LABELS = { password: 'login', second_factor: 'second factor', new_app: 'new app' } as const

/** Counts an attempt of one account or purpose from one address. RATE_LIMIT_EXCEEDED after ten in fifteen minutes. */
export async function countForAddress(
  tx: Tx,
  { at, perAddress }: Pick<LoginAttempt, 'at' | 'perAddress'>,
): Promise<void> {
  const since = addMilliseconds(at, -LOGIN_FAILURES_WINDOW_MS)
  const counted = await sql`
    insert into login_attempts as known (subject, attempted_at, last_at)
    values (${perAddress}, array[${at}::timestamptz], ${at})
    on conflict (subject) do update set
      attempted_at = ${recent(since)} || ${at}::timestamptz, last_at = ${at}
    where cardinality(${recent(since)}) < ${LOGIN_FAILURES_MAX}
    returning 1
  `.execute(tx)
  if (counted.rows.length > 0) return
  const { rows } = await sql<{ oldest: Date | null }>`
    select (select min(at) from unnest(attempted_at) at where at > ${since}) as oldest
    from login_attempts where subject = ${perAddress}
  `.execute(tx)
  throw refusal(at, addMilliseconds(rows[0]?.oldest ?? since, LOGIN_FAILURES_WINDOW_MS))
}

async function countForAccount(tx: Tx, { at, perAccount }: LoginAttempt): Promise<void> {
  const since = addMilliseconds(at, -LOGIN_ACCOUNT_WINDOW_MS)
  const counted = await sql`
    insert into login_account_attempts as known (subject, attempted_at, last_at)
    values (${perAccount}, array[${at}::timestamptz], ${at})
    on conflict (subject) do update set
      attempted_at = ${recent(since)} || ${at}::timestamptz, last_at = ${at}
    where cardinality(${recent(since)}) < ${LOGIN_ACCOUNT_FAILURES_MAX} or known.last_at + ${pause(since)} <= ${at}
    returning 1
  `.execute(tx)
  if (counted.rows.length > 0) return
  const { rows } = await sql<{ free_at: Date }>`
    select known.last_at + ${pause(since)} as free_at from login_account_attempts known where subject = ${perAccount}
  `.execute(tx)
  throw refusal(at, rows[0]?.free_at ?? at)
}

/** The attempts of a row after a time. */
function recent(since: Date): RawBuilder<Date[]> {
  return sql`array(select at from unnest(known.attempted_at) at where at > ${since})`
}

/** The pause after the latest attempt of an account: it doubles with each one above the fiftieth. */
function pause(since: Date): RawBuilder<unknown> {
  const doublings = sql`least(20, greatest(0, cardinality(${recent(since)}) - ${LOGIN_ACCOUNT_FAILURES_MAX}))`
  const milliseconds = sql`least(${LOGIN_ACCOUNT_PAUSE_MAX_MS}, ${LOGIN_ACCOUNT_PAUSE_MIN_MS} * power(2, ${doublings}))`
  return sql`${milliseconds} * interval '1 millisecond'`
}

/** The password was right: the attempt no longer counts, and the address starts again at zero. */
export async function clearAttempt(tx: Tx, { at, perAddress, perAccount }: LoginAttempt): Promise<void> {
  await sql`delete from login_attempts where subject = ${perAddress}`.execute(tx)
  await sql`
    update login_account_attempts set attempted_at =
      attempted_at[:array_position(attempted_at, ${at}::timestamptz) - 1]
      || attempted_at[array_position(attempted_at, ${at}::timestamptz) + 1:]
    where subject = ${perAccount} and ${at}::timestamptz = any (attempted_at)
  `.execute(tx)
}

/** Failed logins from one address no longer count: its user has just set another password. */
export async function forgiveAttempts(
  tx: Tx,
  parts: Pick<IdentityParts, 'clock' | 'secrets'>,
  { email, address }: { readonly email: string; readonly address: string },
): Promise<void> {
  const { perAddress } = attemptOf(parts, { kind: 'password', email, address })
  await tx.deleteFrom('login_attempts').where('subject', '=', perAddress).execute()
}

/** The account logged in from this address. */
export async function rememberAddress(tx: Tx, { at, origin }: LoginAttempt): Promise<void> {
  await tx
    .insertInto('login_addresses')
    .values({ subject: origin, last_at: at })
    .onConflict((conflict) => conflict.column('subject').doUpdateSet({ last_at: at }))
    .execute()
}

/** Deletes a few expired counts; called where attempts are added, so that no job is needed. */
export async function sweepAttempts(parts: { readonly db: Database; readonly clock: Clock }): Promise<void> {
  const now = parts.clock.now()
  await sql`
    delete from login_attempts where subject in (
      select subject from login_attempts where last_at <= ${addMilliseconds(now, -LOGIN_FAILURES_WINDOW_MS)}
      order by last_at limit ${LOGIN_ATTEMPTS_SWEEP_BATCH} for update skip locked
    )
  `.execute(parts.db)
  await sql`
    delete from login_account_attempts where subject in (
      select subject from login_account_attempts where last_at <= ${addMilliseconds(now, -LOGIN_ACCOUNT_WINDOW_MS)}
      order by last_at limit ${LOGIN_ATTEMPTS_SWEEP_BATCH} for update skip locked
    )
  `.execute(parts.db)
}

function refusal(now: Date, retryAt: Date): Failure {
  return new Failure('RATE_LIMIT_EXCEEDED', {
    message: 'Too many failed attempts. Try again later.',
    details: { retryAfterSeconds: Math.max(1, Math.ceil((retryAt.getTime() - now.getTime()) / 1_000)) },
  })
}
