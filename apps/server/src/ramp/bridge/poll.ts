import { inTransaction, type RampDirection, type Tx } from '../../database/index.ts'
import { Failure } from '../../kernel/index.ts'
import type { ProviderEvent } from '../provider/port.ts'
import type { BridgeClient } from './client.ts'
import { accountOfDrain, drainEvent, isDrainState } from './drain.ts'
import { type BridgeAccount, findBridgeAccount } from './find-account.ts'
import { recordIgnoredEvent } from './ignored-events.ts'
import { type Json, textOf, timeOf } from './json-fields.ts'
import { fetchOnboardingEvent } from './kyc-link.ts'
import type { EventParts } from './read-events.ts'
import { findProcessedEventIds, wasPaidOut } from './received-events.ts'
import { accountOfActivity, activityEvent, isPayment } from './virtual-account-activity.ts'

interface PollParts extends EventParts {
  readonly client: BridgeClient
}
type ApplyInTransaction = (tx: Tx, event: ProviderEvent) => Promise<void>

/** Payments out that began so long ago are looked at although they ended: a bank may send one back. */
const DRAIN_LOOKBACK_MS = 3 * 86_400_000
/** Verifications that are looked at in one round, those that were looked at longest ago first. */
const LINKS_PER_ROUND = 100

/** Asks the partner's lists for what its messages did not tell us: lost ones, and those of a time when we were away. */
export function createPoller(parts: PollParts): (take: ApplyInTransaction) => Promise<void> {
  let after = 0
  return async (take) => {
    const tell = (event: ProviderEvent) => inTransaction(parts.db, (tx) => take(tx, event))
    await pollActivity(parts, tell)
    await pollDrains(parts, tell)
    after = await pollLinks(parts, after, tell)
  }
}

type ApplyEvent = (event: ProviderEvent) => Promise<void>

/**
 * Activity on virtual accounts only ever grows. The list is read from its newest end down to a page that holds nothing
 * new, and what is new is told from the oldest on: should that end half-way, the next round finds where it was.
 */
async function pollActivity(parts: PollParts, tell: ApplyEvent): Promise<void> {
  const since = await firstAccountAt(parts, 'onramp')
  if (since === undefined) return
  const found: Json[] = []
  for await (const page of parts.client.pages('/virtual_accounts/history')) {
    const ours = page.filter((activity) => isPayment(activity) && (timeOf(activity, 'created_at') ?? 0) >= since)
    const known = await findProcessedEventIds(parts.db, ours.map(activityId))
    const fresh = ours.filter((activity) => !known.has(activityId(activity)))
    found.push(...fresh)
    const isOld = page.some((activity) => (timeOf(activity, 'created_at') ?? 0) < since)
    if (isOld || (ours.length > 0 && fresh.length === 0)) break
  }
  for (const activity of found.reverse()) {
    const id = activityId(activity)
    const account = await findAccountOrDefer(parts, accountOfActivity(activity), 'onramp')
    if (account === 'later') continue
    const event = account && activityEvent(activity, account, { id, isAmended: false })
    if (event) await tell(event)
    else await ignoreActivity(parts, id, activity)
  }
}

/** `later` while the account's chain is not served: the others go on, and the next round comes by here again. */
async function findAccountOrDefer(
  parts: PollParts,
  reference: string | undefined,
  direction: RampDirection,
): Promise<BridgeAccount | 'later' | undefined> {
  try {
    return await findBridgeAccount(parts, reference ?? '', direction)
  } catch (error) {
    if (error instanceof Failure && error.code === 'CHAIN_UNAVAILABLE') return 'later'
    throw error
  }
}

const activityId = (activity: Json): string => `activity:${textOf(activity, 'id')}`

/** Somebody else's, or in a form that we do not know: written down, so that the next round does not stop at it. */
async function ignoreActivity(parts: PollParts, id: string, activity: Json): Promise<void> {
  await recordIgnoredEvent(parts, {
    id,
    category: 'virtual_account.activity',
    type: textOf(activity, 'type') ?? '',
    objectId: textOf(activity, 'id') ?? '',
    reason: 'about no account of ours, or lacks what an event needs',
    body: JSON.stringify(activity),
  })
}

/** Drains stand in the order in which they began, and change where they stand: all that may still change are read. */
async function pollDrains(parts: PollParts, tell: ApplyEvent): Promise<void> {
  const since = await oldestOpenDrain(parts)
  if (since === undefined) return
  const found: Json[] = []
  for await (const page of parts.client.pages('/liquidation_addresses/drains')) {
    const recent = page.filter((drain) => (timeOf(drain, 'created_at') ?? 0) >= since)
    const known = await findProcessedEventIds(parts.db, recent.map(drainId))
    found.push(...recent.filter((drain) => isDrainState(drain) && !known.has(drainId(drain))))
    if (recent.length < page.length) break
  }
  for (const drain of found.reverse()) {
    const account = await findAccountOrDefer(parts, accountOfDrain(drain), 'offramp')
    const at = timeOf(drain, 'updated_at') ?? timeOf(drain, 'created_at')
    if (!account || account === 'later' || at === undefined) continue
    const paid = await wasPaidOut(parts.db, textOf(drain, 'id') ?? '')
    const event = drainEvent(drain, account, { id: drainId(drain), at, wasPaid: paid })
    if (event) await tell(event)
  }
}

const drainId = (drain: Json): string =>
  `drain:${textOf(drain, 'id')}:${textOf(drain, 'state')}:${textOf(drain, 'updated_at') ?? ''}`

/** Verifications that are not decided. Returns from where the next round goes on. */
async function pollLinks(parts: PollParts, after: number, tell: ApplyEvent): Promise<number> {
  const rows = await parts.db
    .selectFrom('ramp_customers')
    .select(['id', 'kyb_reference', 'kyb_status'])
    .where('kyb_status', 'in', ['pending', 'submitted', 'declined'])
    .where('kyb_reference', 'is not', null)
    .where('archived_at', 'is', null)
    .where('id', '>', after)
    .orderBy('id')
    .limit(LINKS_PER_ROUND)
    .execute()
  for (const { kyb_reference: reference, kyb_status: status } of rows) {
    const event = await fetchOnboardingEvent(parts, reference!)
    if (event && event.status !== status) await tell(event)
  }
  return rows.length < LINKS_PER_ROUND ? 0 : rows.at(-1)!.id
}

async function firstAccountAt({ db }: PollParts, direction: RampDirection): Promise<number | undefined> {
  const row = await db
    .selectFrom('ramp_accounts')
    .select(({ fn }) => fn.min('created_at').as('at'))
    .where('direction', '=', direction)
    .executeTakeFirst()
  return row?.at ? row.at.getTime() : undefined
}

/** When the oldest drain began that may still change. The partner's clock and ours may differ by an hour. */
async function oldestOpenDrain(parts: PollParts): Promise<number | undefined> {
  const first = await firstAccountAt(parts, 'offramp')
  if (first === undefined) return undefined
  const row = await parts.db
    .selectFrom('ramp_transactions')
    .select(({ fn }) => fn.min('created_at').as('at'))
    .where('direction', '=', 'offramp')
    .where('status', 'not in', ['completed', 'failed', 'rejected', 'reversed'])
    .executeTakeFirst()
  const recent = parts.clock.now().getTime() - DRAIN_LOOKBACK_MS
  const open = row?.at ? row.at.getTime() - 3_600_000 : recent
  return Math.min(open, recent)
}
