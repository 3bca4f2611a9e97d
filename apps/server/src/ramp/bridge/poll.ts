import { inTransaction, type Tx } from '../../database/index.ts'
import { BRIDGE_LINKS_BATCH, outageLogsBy } from '../../kernel/index.ts'
import { lastReportedStatus } from '../events/last-reported-status.ts'
import type { ProviderEvent } from '../provider/port.ts'
import { isRejectedRead } from './client.ts'
import { applyDeferredEvents, applyOrDefer, concernsEveryEntry, deferEvent, findOrDefer } from './deferred-events.ts'
import { findBridgeAccount } from './find-account.ts'
import { recordIgnoredEvent } from './ignored-events.ts'
import { type BridgeJson, createdAt, textOf } from './json-fields.ts'
import { fetchOnboardingEvent } from './kyc-link.ts'
import { type DrainBackfill, eventOfDrain, pollOldDrains, pollRecentDrains } from './poll-drains.ts'
import { type ApplyListedEvent, firstAccountAt, type PollParts } from './poll-parts.ts'
import { BRIDGE_PROVIDER, findProcessedEventIds } from './received-events.ts'
import { accountOfActivity, activityEvent, isPayment, paymentFields } from './virtual-account-activity.ts'

type ApplyInTransaction = (tx: Tx, event: ProviderEvent) => Promise<void>

/** Polls the partner's lists for changes whose messages were lost or sent while the service was down. */
export function createPoller(parts: PollParts): (apply: ApplyInTransaction) => Promise<void> {
  const links: LinksPlace = { after: 0 }
  const old: DrainBackfill = { readAt: undefined, missing: new Map() }
  return async (applyInTransaction) => {
    const apply = (event: ProviderEvent) => inTransaction(parts.db, (tx) => applyInTransaction(tx, event))
    await applyDeferred(parts, apply)
    await pollActivity(parts, apply)
    const unlisted = await pollRecentDrains(parts, apply)
    await pollLinks(parts, links, apply)
    // Last: it may take many requests, and fail.
    await pollOldDrains(parts, apply, { old, unlisted })
  }
}

/**
 * Activity on virtual accounts is append-only. Reads the list from the newest entry down to a page without new entries,
 * then applies the new entries oldest first: if that is interrupted, the next round continues where it stopped. One that
 * cannot be applied is kept and stops no other.
 */
async function pollActivity(parts: PollParts, apply: ApplyListedEvent): Promise<void> {
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
    const account = await findOrDefer(() => findBridgeAccount(parts, reference, 'onramp'))
    const type = textOf(object, 'type') ?? ''
    const entry = { id, list: 'virtual_account.activity', account: reference, type, object } as const
    if (account === 'later') {
      await deferEvent(parts, entry)
      continue
    }
    await applyOrDefer(parts, entry, async () => {
      const event = account && activityEvent(object, account, { id, isAmended: false })
      if (event) await apply(event)
      else await ignoreActivity(parts, id, activity)
    })
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

/** Entries whose chains were not configured when they were found, or that could not be applied. */
async function applyDeferred(parts: PollParts, apply: ApplyListedEvent): Promise<void> {
  await applyDeferredEvents(parts, {
    findAccount: (list, reference) => findBridgeAccount(parts, reference, DIRECTIONS[list]),
    eventOf: async ({ id, list, object }, account) =>
      list === 'virtual_account.activity'
        ? activityEvent(object, account, { id, isAmended: false })
        : eventOfDrain(object, account),
    apply,
  })
}

const DIRECTIONS = { 'virtual_account.activity': 'onramp', 'liquidation_address.drain': 'offramp' } as const

const verificationsOf = outageLogsBy({
  away: 'failed to apply a verification of the banking partner',
  back: 'a verification of the banking partner can be applied again',
  level: 'error',
})

interface LinksPlace {
  /** The customer after whom the next round continues. */
  after: number
}

const rejectionsOf = outageLogsBy({
  away: 'the banking partner does not return a verification',
  back: 'the banking partner returns a verification again',
})

/**
 * Polls undecided verifications. One that the partner rejects, or that cannot be applied, stops no other; one that the
 * partner cannot read at present ends the round, and the next one continues behind it.
 */
async function pollLinks(parts: PollParts, place: LinksPlace, apply: ApplyListedEvent): Promise<void> {
  const rows = await parts.db
    .selectFrom('ramp_customers')
    .select(['id', 'kyb_reference', 'kyb_status', 'kyb_attempt'])
    .where('kyb_status', 'in', ['pending', 'submitted', 'declined'])
    .where('kyb_reference', 'is not', null)
    .where('archived_at', 'is', null)
    .where('id', '>', place.after)
    .orderBy('id')
    .limit(BRIDGE_LINKS_BATCH)
    .execute()
  const rejections = rejectionsOf(parts.log, parts.log)
  const failures = verificationsOf(parts.log, parts.log)
  for (const { id, kyb_reference: reference, kyb_status: status, kyb_attempt: attempt } of rows) {
    place.after = id
    try {
      const event = await fetchOnboardingEvent(parts, reference!)
      // After a restart, a pending form is news, and the decision before it is not.
      const last = attempt > 1 ? await lastReportedStatus(parts.db, BRIDGE_PROVIDER, reference!) : undefined
      if (event && event.status !== (last ?? status)) await apply(event)
      rejections.recovered({ verification: reference })
      failures.recovered({ verification: reference })
    } catch (error) {
      if (isRejectedRead(error)) rejections.failed({ verification: reference }, { err: error })
      else if (concernsEveryEntry(error)) throw error
      else failures.failed({ verification: reference }, { err: error })
    }
  }
  if (rows.length < BRIDGE_LINKS_BATCH) place.after = 0
}
