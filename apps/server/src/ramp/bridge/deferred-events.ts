import { sql } from 'kysely'
import { type Database, isSharedFailure } from '../../database/index.ts'
import { BRIDGE_PAGE_SIZE, Failure, openIfReadable, outageLogsBy } from '../../kernel/index.ts'
import type { ProviderEvent } from '../provider/port.ts'
import type { BridgeAccount } from './find-account.ts'
import {
  CHAIN_NOT_CONFIGURED,
  type IgnoredEventParts,
  labelOfIgnoredEvent,
  NOT_APPLIED,
  recordIgnoredEvent,
  WAITING_REASONS,
} from './ignored-events.ts'
import type { BridgeJson } from './json-fields.ts'

/** Where the lists show payments, by category of the partner's messages. */
export type PaymentList = 'virtual_account.activity' | 'liquidation_address.drain'

interface DeferredEvent {
  readonly id: string
  readonly list: PaymentList
  /** The partner's reference of the account. */
  readonly account: string
  readonly type: string
  /** What the event is made from, once the chain is configured; nothing personal, as it is kept until then. */
  readonly object: BridgeJson
}

/**
 * Keeps an entry whose chain is not configured, or that could not be applied. It counts as processed, because the lists
 * are read down to known entries only: below these nobody would find it again.
 */
export async function deferEvent(
  parts: IgnoredEventParts,
  event: DeferredEvent,
  reason = CHAIN_NOT_CONFIGURED,
): Promise<void> {
  const { id, list: category, account: objectId, type, object } = event
  await recordIgnoredEvent(parts, { id, category, type, objectId, reason, body: JSON.stringify(object) })
}

/** Whether a failure concerns every entry: the partner, the database or a chain is unavailable. */
export function concernsEveryEntry(error: unknown): boolean {
  if (error instanceof Failure && error.code === 'RAMP_UNAVAILABLE') return true
  return isSharedFailure(error)
}

/** Applies a listed entry. One that cannot be applied is kept and tried again, and the others continue. */
export async function applyOrDefer(
  parts: IgnoredEventParts,
  entry: DeferredEvent,
  apply: () => Promise<void>,
): Promise<void> {
  try {
    await apply()
  } catch (error) {
    if (concernsEveryEntry(error)) throw error
    outagesOf(parts.log, parts.log).failed({ account: entry.account }, { err: error })
    await deferEvent(parts, entry, NOT_APPLIED)
  }
}

interface DeferredEventHandler {
  /** The account of a reference. Error: CHAIN_UNAVAILABLE while its chain is not configured. */
  findAccount(list: PaymentList, reference: string): Promise<BridgeAccount | undefined>
  /** The event of an entry; `undefined` if required fields are missing. */
  eventOf(entry: DeferredEntry, account: BridgeAccount): Promise<ProviderEvent | undefined>
  apply(event: ProviderEvent): Promise<void>
}

interface DeferredEntry {
  readonly id: string
  readonly list: PaymentList
  readonly object: BridgeJson
}

const outagesOf = outageLogsBy({
  away: 'failed to apply payments that the banking partner lists; retrying',
  back: 'payments that the banking partner lists are applied again',
  level: 'error',
})

/** Applies deferred entries of accounts whose chains are configured by now, in the order in which they were found. */
export async function applyDeferredEvents(parts: IgnoredEventParts, handler: DeferredEventHandler): Promise<void> {
  const accounts = await parts.db
    .selectFrom('ramp_bridge_ignored_events')
    .select(['category', 'object_id as reference'])
    .distinct()
    .where('reason', 'in', WAITING_REASONS)
    .execute()
  const outages = outagesOf(parts.log, parts.log)
  for (const { category, reference } of accounts) {
    const list = category as PaymentList
    const account = await findOrDefer(() => handler.findAccount(list, reference))
    if (account === undefined || account === 'later') continue
    const failure = await applyToAccount(parts, handler, list, account)
    if (failure) outages.failed({ account: reference }, { err: failure.error })
    else outages.recovered({ account: reference })
  }
}

/** Returns the first failure. An entry that cannot be applied stops neither later ones nor the lists. */
async function applyToAccount(
  { db, sealer }: IgnoredEventParts,
  handler: DeferredEventHandler,
  list: PaymentList,
  account: BridgeAccount,
): Promise<{ readonly error: unknown } | undefined> {
  let failure: { readonly error: unknown } | undefined
  let last: { readonly received_at: Date; readonly id: string } | undefined
  for (;;) {
    const after = last
    const rows = await db
      .selectFrom('ramp_bridge_ignored_events')
      .select(['event_id as id', 'body', 'received_at'])
      .where('reason', 'in', WAITING_REASONS)
      .where('category', '=', list)
      .where('object_id', '=', account.reference)
      .$if(after !== undefined, (query) =>
        query.where(sql<boolean>`(received_at, event_id) > (${after?.received_at}, ${after?.id})`),
      )
      .orderBy('received_at')
      .orderBy('event_id')
      .limit(BRIDGE_PAGE_SIZE)
      .execute()
    for (const { id, body } of rows) {
      const opened = openIfReadable(sealer, body, labelOfIgnoredEvent(id))
      // It waits for a key or a repair. Those after it do not: a payment takes the way between any two of its states.
      if (opened === undefined) continue
      try {
        await applyEntry(db, handler, account, { id, list, object: JSON.parse(opened) as BridgeJson })
      } catch (error) {
        if (concernsEveryEntry(error)) throw error
        failure ??= { error }
      }
    }
    if (rows.length < BRIDGE_PAGE_SIZE) return failure
    last = rows.at(-1)
  }
}

async function applyEntry(
  db: Database,
  handler: DeferredEventHandler,
  account: BridgeAccount,
  entry: DeferredEntry,
): Promise<void> {
  const event = await handler.eventOf(entry, account)
  if (event === undefined) return await keepIgnored(db, entry.id)
  await handler.apply(event)
  // If this is interrupted before, the next round applies a duplicate, which has no effect.
  await db.deleteFrom('ramp_bridge_ignored_events').where('event_id', '=', entry.id).execute()
}

/** An entry that turned out to have no effect stays as an ignored one. */
async function keepIgnored(db: Database, id: string): Promise<void> {
  await db
    .updateTable('ramp_bridge_ignored_events')
    .set({ reason: 'missing fields' })
    .where('event_id', '=', id)
    .execute()
}

/** When the first drain that waits was found; `undefined` if none waits. */
export async function firstDrainDeferredAt(db: Database): Promise<number | undefined> {
  const row = await db
    .selectFrom('ramp_bridge_ignored_events')
    .select(({ fn }) => fn.min('received_at').as('at'))
    .where('reason', '=', CHAIN_NOT_CONFIGURED)
    .where('category', '=', 'liquidation_address.drain' satisfies PaymentList)
    .executeTakeFirst()
  return row?.at?.getTime()
}

/** `later` while the chain of what is looked for is not configured: other entries proceed. */
export async function findOrDefer<T>(find: () => Promise<T>): Promise<T | 'later'> {
  try {
    return await find()
  } catch (error) {
    if (error instanceof Failure && error.code === 'CHAIN_UNAVAILABLE') return 'later'
    throw error
  }
}
