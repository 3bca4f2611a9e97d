import { inTransaction, type RampDirection, type Tx } from '../../database/index.ts'
import { BRIDGE_CLOCK_DIFFERENCE_MS_MAX, BRIDGE_DRAIN_LOOKBACK_MS, BRIDGE_LINKS_BATCH } from '../../kernel/index.ts'
import type { ProviderEvent } from '../provider/port.ts'
import { TERMINAL_RAMP_STATUSES } from '../transactions/ramp-transaction-states.ts'
import type { BridgeClient } from './client.ts'
import { applyDeferredEvents, deferEvent, firstDrainDeferredAt, unlessDeferred } from './deferred-events.ts'
import { accountOfDrain, drainEvent, isDrainState, payoutFields } from './drain.ts'
import { type BridgeAccount, findBridgeAccount } from './find-account.ts'
import { recordIgnoredEvent } from './ignored-events.ts'
import { type BridgeJson, textOf, timeOf } from './json-fields.ts'
import { fetchOnboardingEvent } from './kyc-link.ts'
import type { EventParts } from './read-events.ts'
import { findProcessedEventIds, wasPaidOut } from './received-events.ts'
import { accountOfActivity, activityEvent, isPayment, paymentFields } from './virtual-account-activity.ts'

interface PollParts extends EventParts {
  readonly client: BridgeClient
}
type ApplyInTransaction = (tx: Tx, event: ProviderEvent) => Promise<void>

/** Polls the partner's lists for changes whose messages were lost or sent while the service was down. */
export function createPoller(parts: PollParts): (apply: ApplyInTransaction) => Promise<void> {
  let after = 0
  return async (applyInTransaction) => {
    const apply = (event: ProviderEvent) => inTransaction(parts.db, (tx) => applyInTransaction(tx, event))
    await applyDeferred(parts, apply)
    await pollActivity(parts, apply)
    await pollDrains(parts, apply)
    after = await pollLinks(parts, after, apply)
  }
}

type ApplyEvent = (event: ProviderEvent) => Promise<void>

/**
 * Activity on virtual accounts is append-only. Reads the list from the newest entry down to a page without new entries,
 * then applies the new entries oldest first: if that is interrupted, the next round continues where it stopped.
 */
async function pollActivity(parts: PollParts, apply: ApplyEvent): Promise<void> {
  const since = await firstAccountAt(parts, 'onramp')
  if (since === undefined) return
  const found: BridgeJson[] = []
  for await (const page of parts.client.pages('/virtual_accounts/history')) {
    const ours = page.filter((activity) => isPayment(activity) && createdAt(activity) >= since)
    const known = await findProcessedEventIds(parts.db, ours.map(activityId))
    const fresh = ours.filter((activity) => !known.has(activityId(activity)))
    found.push(...fresh)
    const isOld = page.some((activity) => createdAt(activity) < since)
    if (isOld || (ours.length > 0 && fresh.length === 0)) break
  }
  for (const activity of found.reverse()) {
    const id = activityId(activity)
    // A deferred entry keeps these fields only, so nothing may depend on others.
    const object = paymentFields(activity)
    const reference = accountOfActivity(object) ?? ''
    const account = await unlessDeferred(() => findBridgeAccount(parts, reference, 'onramp'))
    if (account === 'later') {
      const entry = { id, account: reference, type: textOf(object, 'type') ?? '', object }
      await deferEvent(parts, { ...entry, list: 'virtual_account.activity' })
      continue
    }
    const event = account && activityEvent(object, account, { id, isAmended: false })
    if (event) await apply(event)
    else await ignoreActivity(parts, id, activity)
  }
}

const activityId = (activity: BridgeJson): string => `activity:${textOf(activity, 'id')}`

/** Records an activity of an unknown account or form, so that the next round does not treat it as new. */
async function ignoreActivity(parts: PollParts, id: string, activity: BridgeJson): Promise<void> {
  await recordIgnoredEvent(parts, {
    id,
    category: 'virtual_account.activity',
    type: textOf(activity, 'type') ?? '',
    objectId: textOf(activity, 'id') ?? '',
    reason: 'unknown account or missing fields',
    body: JSON.stringify(activity),
  })
}

/**
 * Drains are listed by creation time and change in place, so every drain that may still change is read: the recent ones,
 * and from there down to the oldest of the payments that are not over. These may have begun at the partner long before
 * they were found.
 */
async function pollDrains(parts: PollParts, apply: ApplyEvent): Promise<void> {
  const first = await firstAccountAt(parts, 'offramp')
  if (first === undefined) return
  const since = await recentDrainsSince(parts)
  const open = await openDrains(parts)
  const found: BridgeJson[] = []
  for await (const page of parts.client.pages('/liquidation_addresses/drains')) {
    const read = page.filter((drain) => createdAt(drain) >= since || open.has(textOf(drain, 'id') ?? ''))
    for (const drain of read) open.delete(textOf(drain, 'id') ?? '')
    const known = await findProcessedEventIds(parts.db, read.map(drainId))
    found.push(...read.filter((drain) => isDrainState(drain) && !known.has(drainId(drain))))
    const oldest = Math.min(...page.map(createdAt))
    // No drain is older than the first address.
    if (oldest < since && (open.size === 0 || oldest < first - BRIDGE_CLOCK_DIFFERENCE_MS_MAX)) break
  }
  for (const object of found.reverse().map(payoutFields)) {
    const id = drainId(object)
    const reference = accountOfDrain(object) ?? ''
    const account = await unlessDeferred(() => findBridgeAccount(parts, reference, 'offramp'))
    if (account === 'later') {
      const entry = { id, account: reference, type: textOf(object, 'state') ?? '', object }
      await deferEvent(parts, { ...entry, list: 'liquidation_address.drain' })
      continue
    }
    const event = account && (await eventOfDrain(parts, object, account))
    if (event) await apply(event)
  }
}

async function eventOfDrain(parts: PollParts, drain: BridgeJson, account: BridgeAccount) {
  const at = timeOf(drain, 'updated_at') ?? timeOf(drain, 'created_at')
  if (at === undefined) return undefined
  const wasPaid = await wasPaidOut(parts.db, textOf(drain, 'id') ?? '')
  return drainEvent(drain, account, { id: drainId(drain), at, wasPaid })
}

/** Entries whose chains were not configured when they were found. */
async function applyDeferred(parts: PollParts, apply: ApplyEvent): Promise<void> {
  await applyDeferredEvents(parts, {
    findAccount: (list, reference) => findBridgeAccount(parts, reference, DIRECTIONS[list]),
    eventOf: async ({ id, list, object }, account) =>
      list === 'virtual_account.activity'
        ? activityEvent(object, account, { id, isAmended: false })
        : eventOfDrain(parts, object, account),
    apply,
  })
}

const DIRECTIONS = { 'virtual_account.activity': 'onramp', 'liquidation_address.drain': 'offramp' } as const

const createdAt = (entry: BridgeJson): number => timeOf(entry, 'created_at') ?? 0

const drainId = (drain: BridgeJson): string =>
  `drain:${textOf(drain, 'id')}:${textOf(drain, 'state')}:${updatedAt(drain)}`

const updatedAt = (drain: BridgeJson): string =>
  timeOf(drain, 'updated_at') === undefined ? '' : (textOf(drain, 'updated_at') ?? '')

/** Polls undecided verifications. Returns the customer id after which the next round continues. */
async function pollLinks(parts: PollParts, after: number, apply: ApplyEvent): Promise<number> {
  const rows = await parts.db
    .selectFrom('ramp_customers')
    .select(['id', 'kyb_reference', 'kyb_status'])
    .where('kyb_status', 'in', ['pending', 'submitted', 'declined'])
    .where('kyb_reference', 'is not', null)
    .where('archived_at', 'is', null)
    .where('id', '>', after)
    .orderBy('id')
    .limit(BRIDGE_LINKS_BATCH)
    .execute()
  for (const { kyb_reference: reference, kyb_status: status } of rows) {
    const event = await fetchOnboardingEvent(parts, reference!)
    if (event && event.status !== status) await apply(event)
  }
  return rows.length < BRIDGE_LINKS_BATCH ? 0 : rows.at(-1)!.id
}

async function firstAccountAt({ db }: PollParts, direction: RampDirection): Promise<number | undefined> {
  const row = await db
    .selectFrom('ramp_accounts')
    .select(({ fn }) => fn.min('created_at').as('at'))
    .where('direction', '=', direction)
    .executeTakeFirst()
  return row?.at ? row.at.getTime() : undefined
}

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
