import { createHmac, hkdfSync } from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import { type Database, inTransaction, type Schema, type Tx } from '../../database/index.ts'
import {
  addMilliseconds,
  assert,
  BRIDGE_INTENT_LEASE_MS,
  BRIDGE_KEY_LIFETIME_MS,
  type Clock,
  Failure,
  type RandomSource,
  withCleanup,
} from '../../kernel/index.ts'
import { BridgeApiError } from './client.ts'
import { type BridgeJson, textOf } from './json-fields.ts'

export interface IntentParts {
  readonly db: Database
  readonly clock: Clock
  readonly random: RandomSource
  /** 64 hexadecimal digits; keys the stored hash of the request, and outlives encryption keys. */
  readonly fingerprintKey: string
}

type Kind = Schema['ramp_bridge_intents']['kind']
type Intent = Selectable<Schema['ramp_bridge_intents']>

export interface IntentRequest {
  readonly organizationId: number
  readonly kind: Kind
  /** All parameters of the request. */
  readonly parameters: readonly string[]
  /** Whether all callers share one object; otherwise each caller gets a new one. */
  readonly isShared: boolean
}

export interface IntentCalls {
  /** Finds an object that was already created, by its reference, or by its parameters if that is null. */
  find(reference: string | null): Promise<BridgeJson | undefined>
  /** Creates the object. `token` identifies the intent permanently; the key makes repeated calls idempotent. */
  create(idempotencyKey: string, token: string): Promise<BridgeJson>
  /** Throws if the caller cannot use the object; a corrected request gets it at once. */
  accept?(object: BridgeJson): void
}

const KEY_TOO_OLD = 422

/**
 * Creates an object at the partner exactly once. The intent and the key of the call are committed first. A caller that
 * repeats the request after a crash or a lost response finds the intent, checks whether the object exists, and calls again
 * with the same key only if it does not. No transaction is open during calls to the partner.
 *
 * Errors: RAMP_UNAVAILABLE, even while another caller makes the same request; a {@link BridgeApiError} if nothing was created.
 */
export async function createOnce(parts: IntentParts, request: IntentRequest, calls: IntentCalls): Promise<BridgeJson> {
  const { intent, isResumed } = await claimIntent(parts, request)
  try {
    const existing = isResumed ? await calls.find(intent.reference) : undefined
    const object = existing ?? (await create(parts, intent, isResumed, calls))
    const reference = textOf(object, 'id')
    assert(reference !== undefined, 'the partner returns the id of a created object')
    // An exclusive object stays leased until its caller has stored it; a shared one is released at once.
    await setIntent(parts.db, intent, { reference, ...(request.isShared && { leased_until: null }) })
    calls.accept?.(object)
    return object
  } catch (error) {
    const isOver = error instanceof BridgeApiError
    return withCleanup(
      () => Promise.reject(error),
      () => setIntent(parts.db, intent, { leased_until: null, ...(isOver && { closed_at: parts.clock.now() }) }),
    )
  }
}

async function create(parts: IntentParts, intent: Intent, isResumed: boolean, calls: IntentCalls): Promise<BridgeJson> {
  const { clock } = parts
  const isForgotten = isResumed && clock.now().getTime() - intent.key_created_at.getTime() > BRIDGE_KEY_LIFETIME_MS
  const key = isForgotten ? await renewKey(parts, intent) : intent.idempotency_key
  try {
    return await calls.create(key, intent.token)
  } catch (error) {
    if (!(error instanceof BridgeApiError) || error.status !== KEY_TOO_OLD || !isResumed || isForgotten) throw error
    return calls.create(await renewKey(parts, intent), intent.token)
  }
}

/** Leases the open intent of a request, or inserts a new one. Error: RAMP_UNAVAILABLE while it is leased elsewhere. */
async function claimIntent(
  parts: IntentParts,
  request: IntentRequest,
): Promise<{ intent: Intent; isResumed: boolean }> {
  const { organizationId, kind } = request
  const fingerprint = fingerprintOf(parts, request)
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
      if (!request.isShared && intent.reference !== null && (await isReferenceInUse(tx, intent.reference))) {
        await setIntent(tx, intent, { closed_at: now })
        continue
      }
      if (intent.leased_until && intent.leased_until > now) {
        const message = 'The same request is already in progress; retry in a minute.'
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
        leased_until: addMilliseconds(now, BRIDGE_INTENT_LEASE_MS),
        created_at: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    return { intent, isResumed: false }
  })
}

async function extendLease(tx: Tx, intent: Intent, now: Date): Promise<void> {
  await setIntent(tx, intent, { leased_until: addMilliseconds(now, BRIDGE_INTENT_LEASE_MS) })
}

/** Whether an account or customer already uses the reference. If so, a new request means another object. */
export async function isReferenceInUse(db: Database | Tx, reference: string): Promise<boolean> {
  const { rows } = await sql<{ used: boolean }>`
    select exists (select 1 from ramp_accounts where provider_reference = ${reference})
        or exists (select 1 from ramp_customers where kyb_reference = ${reference}) as used
  `.execute(db)
  return rows[0]!.used
}

async function renewKey(parts: IntentParts, intent: Intent): Promise<string> {
  const key = uuid(parts.random)
  await setIntent(parts.db, intent, { idempotency_key: key, key_created_at: parts.clock.now() })
  return key
}

async function setIntent(db: Database | Tx, intent: Intent, to: Partial<Intent>): Promise<void> {
  await db
    .updateTable('ramp_bridge_intents')
    .set(to)
    .where('organization_id', '=', intent.organization_id)
    .where('id', '=', intent.id)
    .execute()
}

/** Keyed, because account numbers have so few digits that a plain hash could be brute-forced. */
function fingerprintOf({ fingerprintKey }: IntentParts, { organizationId, kind, parameters }: IntentRequest): Buffer {
  const root = Buffer.from(fingerprintKey, 'hex')
  const key = new Uint8Array(hkdfSync('sha256', root, '', 'weir ramp bridge fingerprints', 32))
  return createHmac('sha256', key)
    .update(JSON.stringify([organizationId, kind, ...parameters]))
    .digest()
}

/** A random version 4 UUID. */
function uuid(random: RandomSource): string {
  const bytes = Buffer.from(random(16))
  bytes[6] = (bytes[6]! & 0x0f) | 0x40
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
