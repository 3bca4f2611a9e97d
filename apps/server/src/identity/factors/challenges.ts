import { sql } from 'kysely'
import type { ChallengePurpose, Database, Tx } from '../../database/index.ts'
import {
  addMilliseconds,
  FACTOR_CHALLENGE_LIFETIME_MS,
  FACTOR_CHALLENGES_PER_USER_MAX,
  FACTOR_CHALLENGES_SWEEP_BATCH,
} from '../../kernel/index.ts'
import { hashSecret, secretHashes } from '../keys/key-material.ts'
import type { IdentityParts } from '../shared/parts.ts'

/** A user in their organization. */
export interface UserKey {
  readonly organizationId: number
  readonly userId: number
}

/** The user that a challenge was issued to. */
export interface ChallengeHolder {
  readonly purpose: ChallengePurpose
  readonly organizationId: number | null
  readonly userId: number | null
  readonly sessionId: number | null
}

interface NewChallenge {
  readonly purpose: ChallengePurpose
  /** Absent for a sign-in by passkey. */
  readonly user?: UserKey
  readonly sessionId?: number
}

const CHALLENGE_BYTES = 32

/**
 * A new challenge, 32 random bytes in base64url, that can be used once within five minutes, for this purpose, user and
 * session. Only its keyed hash is stored, so someone who writes to the database cannot choose what a passkey signs.
 */
export async function issueChallenge(
  db: Database | Tx,
  parts: Pick<IdentityParts, 'clock' | 'random' | 'secrets'>,
  { purpose, user, sessionId }: NewChallenge,
): Promise<string> {
  const now = parts.clock.now()
  const challenge = Buffer.from(parts.random(CHALLENGE_BYTES)).toString('base64url')
  await sql`
    delete from factor_challenges where challenge_hash in (
      select challenge_hash from factor_challenges where expires_at <= ${now}
      order by expires_at limit ${FACTOR_CHALLENGES_SWEEP_BATCH} for update skip locked
    ) or challenge_hash in (
      select challenge_hash from factor_challenges
      where organization_id = ${user?.organizationId ?? null} and user_id = ${user?.userId ?? null}
      order by expires_at desc offset ${FACTOR_CHALLENGES_PER_USER_MAX - 1}
    )
  `.execute(db)
  await db
    .insertInto('factor_challenges')
    .values({
      challenge_hash: hashSecret(parts.secrets.pepper, challengeText(challenge)),
      purpose,
      organization_id: user?.organizationId ?? null,
      user_id: user?.userId ?? null,
      session_id: sessionId ?? null,
      expires_at: addMilliseconds(now, FACTOR_CHALLENGE_LIFETIME_MS),
    })
    .execute()
  return challenge
}

/** Who holds an unexpired challenge of one of these purposes; `undefined` if there is none. */
export async function findChallenge(
  parts: Pick<IdentityParts, 'db' | 'clock' | 'secrets'>,
  challenge: string,
  ...purposes: readonly ChallengePurpose[]
): Promise<ChallengeHolder | undefined> {
  return await parts.db
    .selectFrom('factor_challenges')
    .select(HOLDER)
    .where('challenge_hash', 'in', secretHashes(parts.secrets.pepper, challengeText(challenge)))
    .where('purpose', 'in', purposes)
    .where('expires_at', '>', parts.clock.now())
    .executeTakeFirst()
}

/** Consumes a challenge, whatever the outcome: the holder, or `undefined` if it was consumed, expired or never issued. */
export async function consumeChallenge(
  db: Database | Tx,
  parts: Pick<IdentityParts, 'clock' | 'secrets'>,
  challenge: string,
  ...purposes: readonly ChallengePurpose[]
): Promise<ChallengeHolder | undefined> {
  return await db
    .deleteFrom('factor_challenges')
    .where('challenge_hash', 'in', secretHashes(parts.secrets.pepper, challengeText(challenge)))
    .where('purpose', 'in', purposes)
    .where('expires_at', '>', parts.clock.now())
    .returning(HOLDER)
    .executeTakeFirst()
}

const HOLDER = ['purpose', 'organization_id as organizationId', 'user_id as userId', 'session_id as sessionId'] as const

const challengeText = (challenge: string) => `factor challenge\n${challenge}`
