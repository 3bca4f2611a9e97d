import {
  BRIDGE_CLOCK_DIFFERENCE_MS_MAX,
  BRIDGE_DRAIN_LOOKBACK_MS,
  BRIDGE_MISSING_DRAINS_INTERVAL_MS,
  BRIDGE_OLD_DRAINS_INTERVAL_MS,
  havePassed,
  outageLogsBy,
} from '../../kernel/index.ts'
import { TERMINAL_RAMP_STATUSES } from '../transactions/ramp-transaction-states.ts'
import { timeOfReading } from './client.ts'
import { applyOrDefer, deferEvent, findOrDefer, firstDrainDeferredAt } from './deferred-events.ts'
import { accountOfDrain, drainEvent, isDrainState, payoutFields } from './drain.ts'
import { type BridgeAccount, findBridgeAccount } from './find-account.ts'
import { type BridgeJson, createdAt, textOf, timeOf } from './json-fields.ts'
import { type ApplyListedEvent, firstAccountAt, type PollParts } from './poll-parts.ts'
import { findProcessedEventIds } from './received-events.ts'

/** When payouts were looked for below the recent drains; of one process. */
export interface DrainBackfill {
  readAt: Date | undefined
  /** When those that the partner does not list were looked for. */
  readonly missing: Map<string, Date>
}

/**
 * Drains are listed by creation time and change in place, so every drain that may still change is read. Reads the recent
 * ones, and returns the partner's ids of payouts that are not over and not among them.
 */
export async function pollRecentDrains(parts: PollParts, apply: ApplyListedEvent): Promise<ReadonlySet<string>> {
  if ((await firstAccountAt(parts, 'offramp')) === undefined) return new Set()
  const since = await recentDrainsSince(parts)
  const open = await openDrains(parts)
  await readDrains(parts, apply, {
    isRead: (drain) => createdAt(drain) >= since,
    isLastPage: (oldest) => oldest < since,
    open,
  })
  return open
}

const missingOf = outageLogsBy({
  away: 'the banking partner does not list a payout that is not over',
  back: 'the banking partner lists a payout again, or it is over',
})

/**
 * Reads down to payouts that are not over and began long ago, such as those that were found after a downtime. These may
 * be anywhere in the list, so that this costs many requests: once an hour, and for those that it does not show, once a day.
 */
export async function pollOldDrains(
  parts: PollParts,
  apply: ApplyListedEvent,
  { old, unlisted }: { readonly old: DrainBackfill; readonly unlisted: ReadonlySet<string> },
): Promise<void> {
  const now = parts.clock.now()
  const missing = missingOf(old, parts.log)
  for (const reference of old.missing.keys()) {
    if (unlisted.has(reference)) continue
    old.missing.delete(reference)
    missing.recovered({ payout: reference })
  }
  const isDue = (reference: string) => havePassed(BRIDGE_MISSING_DRAINS_INTERVAL_MS, old.missing.get(reference), now)
  const open = new Set([...unlisted].filter(isDue))
  if (open.size === 0 || !havePassed(BRIDGE_OLD_DRAINS_INTERVAL_MS, old.readAt, now)) return
  old.readAt = now
  const first = (await firstAccountAt(parts, 'offramp')) ?? 0
  const wanted = new Set(open)
  await readDrains(parts, apply, {
    isRead: (drain) => wanted.has(textOf(drain, 'id') ?? ''),
    // No drain is older than the first address.
    isLastPage: (oldest) => open.size === 0 || oldest < first - BRIDGE_CLOCK_DIFFERENCE_MS_MAX,
    open,
  })
  for (const reference of wanted) if (!open.has(reference)) missing.recovered({ payout: reference })
  for (const reference of open) {
    missing.failed({ payout: reference })
    old.missing.set(reference, now)
  }
}

interface DrainReading {
  isRead(drain: BridgeJson): boolean
  isLastPage(oldest: number): boolean
  /** Those found are removed. */
  readonly open: Set<string>
}

async function readDrains(parts: PollParts, apply: ApplyListedEvent, { isRead, isLastPage, open }: DrainReading) {
  const found: BridgeJson[] = []
  let before = parts.clock.now().getTime()
  for await (const { page, date } of parts.client.datedPages('/liquidation_addresses/drains')) {
    const after = parts.clock.now().getTime()
    const listedAt = new Date(timeOfReading(date, { before, after })).toISOString()
    const read = page.filter(isRead)
    for (const drain of read) open.delete(textOf(drain, 'id') ?? '')
    const known = await findProcessedEventIds(parts.db, read.map(drainId))
    const fresh = read.filter((drain) => isDrainState(drain) && !known.has(drainId(drain)))
    found.push(...fresh.map((drain) => ({ ...payoutFields(drain), listed_at: listedAt })))
    before = parts.clock.now().getTime()
    if (isLastPage(Math.min(...page.map(createdAt)))) break
  }
  for (const object of found.reverse()) {
    const id = drainId(object)
    const reference = accountOfDrain(object) ?? ''
    const account = await findOrDefer(() => findBridgeAccount(parts, reference, 'offramp'))
    const type = textOf(object, 'state') ?? ''
    const entry = { id, list: 'liquidation_address.drain', account: reference, type, object } as const
    if (account === 'later') {
      await deferEvent(parts, entry)
      continue
    }
    await applyOrDefer(parts, entry, async () => {
      const event = account && eventOfDrain(object, account)
      if (event) await apply(event)
    })
  }
}

/**
 * The event of a listed drain; `undefined` if required fields are missing. A drain that does not say when it changed is as
 * new as its list: by its creation, it could never overtake a message.
 */
export function eventOfDrain(drain: BridgeJson, account: BridgeAccount) {
  const at = timeOf(drain, 'updated_at') ?? timeOf(drain, 'listed_at') ?? timeOf(drain, 'created_at')
  if (at === undefined) return undefined
  return drainEvent(drain, account, { id: drainId(drain), at, wasPaid: false })
}

const drainId = (drain: BridgeJson): string =>
  `drain:${textOf(drain, 'id')}:${textOf(drain, 'state')}:${updatedAt(drain)}`

const updatedAt = (drain: BridgeJson): string =>
  timeOf(drain, 'updated_at') === undefined ? '' : (textOf(drain, 'updated_at') ?? '')

/** Drains created since then are read whatever their state: a bank may return one that is over. */
async function recentDrainsSince(parts: PollParts): Promise<number> {
  const recent = parts.clock.now().getTime() - BRIDGE_DRAIN_LOOKBACK_MS
  const deferredAt = await firstDrainDeferredAt(parts.db)
  return Math.min(recent, deferredAt === undefined ? recent : deferredAt - BRIDGE_DRAIN_LOOKBACK_MS)
}

/** The partner's ids of payments that are not over. */
async function openDrains({ db }: PollParts): Promise<Set<string>> {
  const rows = await db
    .selectFrom('ramp_transactions')
    .select('provider_reference')
    .where('direction', '=', 'offramp')
    .where('status', 'not in', TERMINAL_RAMP_STATUSES)
    .execute()
  return new Set(rows.map(({ provider_reference: reference }) => reference))
}
