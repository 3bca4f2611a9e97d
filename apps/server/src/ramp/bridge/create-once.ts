import { createHmac, hkdfSync } from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import { type Database, inTransaction, type Schema, type Tx } from '../../database/index.ts'
import { addMilliseconds, assert, type Clock, Failure, type RandomSource } from '../../kernel/index.ts'
import { BridgeApiError } from './client.ts'
import { type Json, textOf } from './json-fields.ts'

export interface IntentParts {
  readonly db: Database
  readonly clock: Clock
  readonly random: RandomSource
  /** 64 hexadecimal digits; what is asked for is kept as a hash with it. */
  readonly encryptionKey: string
}

type Kind = Schema['ramp_bridge_intents']['kind']
type Intent = Selectable<Schema['ramp_bridge_intents']>

export interface IntentRequest {
  readonly organizationId: number
  readonly kind: Kind
  /** Everything that is asked for. */
  readonly parameters: readonly string[]
  /** Whether one thing serves everybody who asks for it; otherwise each asker gets one of his own. */
  readonly isShared: boolean
}

export interface IntentCalls {
  /** What was made already: by its reference, or found by what was asked for where that is unknown. */
  find(reference: string | null): Promise<Json | undefined>
  /** Asks for it. `token` names the intent for good, the key makes two calls one. */
  create(idempotencyKey: string, token: string): Promise<Json>
}

/** Longer than all calls of one wish take together. Nobody else is at it in that time. */
const INTENT_LEASE_MS = 60_000
/** The partner forgets a key after 24 hours, and from then on refuses it. */
const KEY_LIFETIME_MS = 23 * 3_600_000
const KEY_TOO_OLD = 422

/**
 * Has something made at the partner, once. What is about to be asked for is committed first, with the key of the call; so
 * whoever asks for the same after a crash or a lost answer finds it, looks what became of it, and asks again with the same
 * key only where nothing did. No transaction is open while the partner is asked.
 *
 * Errors: RAMP_UNAVAILABLE, also while somebody else asks for the same; a {@link BridgeApiError}, after which nothing was made.
 */
export async function createOnce(parts: IntentParts, wish: IntentRequest, calls: IntentCalls): Promise<Json> {
  const { intent, isResumed } = await claimIntent(parts, wish)
  try {
    const found = isResumed ? await calls.find(intent.reference) : undefined
    const made = found ?? (await create(parts, intent, isResumed, calls))
    const reference = textOf(made, 'id')
    assert(reference !== undefined, 'the partner names what it made')
    // What one asker gets stays held until he has stored it; what serves everybody is free at once.
    await updateIntent(parts, intent, { reference, ...(wish.isShared && { leased_until: null }) })
    return made
  } catch (error) {
    const isOver = error instanceof BridgeApiError
    await updateIntent(parts, intent, { leased_until: null, ...(isOver && { closed_at: parts.clock.now() }) })
    throw error
  }
}

async function create(parts: IntentParts, intent: Intent, isResumed: boolean, calls: IntentCalls): Promise<Json> {
  const { clock } = parts
  const isForgotten = isResumed && clock.now().getTime() - intent.key_created_at.getTime() > KEY_LIFETIME_MS
  const key = isForgotten ? await renewKey(parts, intent) : intent.idempotency_key
  try {
    return await calls.create(key, intent.token)
  } catch (error) {
    if (!(error instanceof BridgeApiError) || error.status !== KEY_TOO_OLD || !isResumed || isForgotten) throw error
    return calls.create(await renewKey(parts, intent), intent.token)
  }
}

/** Holds the open intent for this wish, or writes down a new one. Error: RAMP_UNAVAILABLE while another holds it. */
async function claimIntent(parts: IntentParts, wish: IntentRequest): Promise<{ intent: Intent; isResumed: boolean }> {
  const { organizationId, kind } = wish
  const fingerprint = fingerprintOf(parts, wish)
  const now = parts.clock.now()
  return inTransaction(parts.db, async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`weir bridge ${fingerprint.toString('hex')}`}, 0))`.execute(
      tx,
    )
    const open = tx
      .selectFrom('ramp_bridge_intents')
      .selectAll()
      .where('kind', '=', kind)
      .where('fingerprint', '=', fingerprint)
      .where('closed_at', 'is', null)
      .orderBy('id')
    for (const intent of await open.execute()) {
      if (!wish.isShared && intent.reference !== null && (await isReferenceInUse(tx, intent.reference))) {
        await tx.updateTable('ramp_bridge_intents').set({ closed_at: now }).where('id', '=', intent.id).execute()
        continue
      }
      if (intent.leased_until && intent.leased_until > now) {
        const message = 'The same is being asked for at this moment; ask again in a minute.'
        throw new Failure('RAMP_UNAVAILABLE', { message })
      }
      await extendLease(tx, intent, now)
      return { intent, isResumed: true }
    }
    const intent = await tx
      .insertInto('ramp_bridge_intents')
      .values({
        organization_id: organizationId,
        kind,
        fingerprint,
        token: uuid(parts.random),
        idempotency_key: uuid(parts.random),
        key_created_at: now,
        leased_until: addMilliseconds(now, INTENT_LEASE_MS),
        created_at: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    return { intent, isResumed: false }
  })
}

async function extendLease(tx: Tx, { id }: Intent, now: Date): Promise<void> {
  await tx
    .updateTable('ramp_bridge_intents')
    .set({ leased_until: addMilliseconds(now, INTENT_LEASE_MS) })
    .where('id', '=', id)
    .execute()
}

/** Whether it stands in our books already: then whoever asks again wants another one. */
export async function isReferenceInUse(db: Database | Tx, reference: string): Promise<boolean> {
  const { rows } = await sql<{ used: boolean }>`
    select exists (select 1 from ramp_accounts where provider_reference = ${reference})
        or exists (select 1 from ramp_customers where kyb_reference = ${reference}) as used
  `.execute(db)
  return rows[0]!.used
}

async function renewKey(parts: IntentParts, intent: Intent): Promise<string> {
  const key = uuid(parts.random)
  await updateIntent(parts, intent, { idempotency_key: key, key_created_at: parts.clock.now() })
  return key
}

async function updateIntent({ db }: IntentParts, { id }: Intent, to: Partial<Intent>): Promise<void> {
  await db.updateTable('ramp_bridge_intents').set(to).where('id', '=', id).execute()
}

/** Account numbers have few digits: without the key nobody can find out by trying what was hashed. */
function fingerprintOf({ encryptionKey }: IntentParts, { organizationId, kind, parameters }: IntentRequest): Buffer {
  const root = Buffer.from(encryptionKey, 'hex')
  const key = new Uint8Array(hkdfSync('sha256', root, '', 'weir ramp bridge fingerprints', 32))
  return createHmac('sha256', key)
    .update(JSON.stringify([organizationId, kind, ...parameters]))
    .digest()
}

/** A random UUID of version 4. */
function uuid(random: RandomSource): string {
  const bytes = Buffer.from(random(16))
  bytes[6] = (bytes[6]! & 0x0f) | 0x40
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
