import { sql } from 'kysely'
import type { Database } from '../../database/index.ts'
import { BRIDGE_PAGE_SIZE, Failure, openIfReadable, outageLogsBy } from '../../kernel/index.ts'
import type { ProviderEvent } from '../provider/port.ts'
import type { BridgeAccount } from './find-account.ts'
import {
  CHAIN_NOT_CONFIGURED,
  type IgnoredEventParts,
  labelOfIgnoredEvent,
  recordIgnoredEvent,
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
 * Keeps an entry whose chain is not configured. It counts as processed, because the lists are read down to known entries
 * only: below these nobody would find it again.
 */
export async function deferEvent(parts: IgnoredEventParts, event: DeferredEvent): Promise<void> {
  const { id, list: category, account: objectId, type, object } = event
  await recordIgnoredEvent(parts, {
    id,
    category,
    type,
    objectId,
    reason: CHAIN_NOT_CONFIGURED,
    body: JSON.stringify(object),
  })
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
  away: 'failed to apply payments that waited for their chain',
  back: 'applied payments that waited for their chain',
  level: 'error',
})

/** Applies entries deferred for accounts whose chains are configured by now, in the order in which they were found. */
export async function applyDeferredEvents(parts: IgnoredEventParts, handler: DeferredEventHandler): Promise<void> {
  const accounts = await parts.db
    .selectFrom('ramp_bridge_ignored_events')
    .select(['category', 'object_id as reference'])
    .distinct()
    .where('reason', '=', CHAIN_NOT_CONFIGURED)
    .execute()
  for (const { category, reference } of accounts) {
    const list = category as PaymentList
    const account = await unlessDeferred(() => handler.findAccount(list, reference))
    if (account === undefined || account === 'later') continue
    try {
      await applyToAccount(parts, handler, list, account)
      outagesOf(parts.log, parts.log).recovered({ account: reference })
    } catch (error) {
      // An entry that cannot be applied stops neither other accounts nor the lists.
      outagesOf(parts.log, parts.log).failed({ account: reference }, { err: error })
    }
  }
}

async function applyToAccount(
  { db, sealer }: IgnoredEventParts,
  handler: DeferredEventHandler,
  list: PaymentList,
  account: BridgeAccount,
): Promise<void> {
  let last: { readonly received_at: Date; readonly id: string } | undefined
  for (;;) {
    const after = last
    const rows = await db
      .selectFrom('ramp_bridge_ignored_events')
      .select(['event_id as id', 'body', 'received_at'])
      .where('reason', '=', CHAIN_NOT_CONFIGURED)
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
      const object = JSON.parse(opened) as BridgeJson
      const event = await handler.eventOf({ id, list, object }, account)
      if (event === undefined) {
        await keepIgnored(db, id)
        continue
      }
      await handler.apply(event)
      // If this is interrupted before, the next round applies a duplicate, which has no effect.
      await db.deleteFrom('ramp_bridge_ignored_events').where('event_id', '=', id).execute()
    }
    if (rows.length < BRIDGE_PAGE_SIZE) return
    last = rows.at(-1)
  }
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
export async function unlessDeferred<T>(find: () => Promise<T>): Promise<T | 'later'> {
  try {
    return await find()
  } catch (error) {
    if (error instanceof Failure && error.code === 'CHAIN_UNAVAILABLE') return 'later'
    throw error
  }
}
