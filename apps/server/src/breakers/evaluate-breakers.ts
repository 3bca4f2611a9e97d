import { type Database, emit, inTransaction, type NewEvent, runItems, type Tx } from '../database/index.ts'
import { BREAKERS_BATCH, type Clock, type Log } from '../kernel/index.ts'
import { scheduleOrganizationEvaluations } from '../wallets/index.ts'
import { acceptFirstCode, advanceBreaker } from './advance-breaker.ts'
import { BREAKER_KINDS, type Breaker, breakerFrom, newBreaker } from './breaker.ts'
import { breakerEvent } from './breaker-event.ts'
import type { BreakerSettings } from './breaker-settings.ts'
import { type Judgement, judgeBreaker } from './judge-breaker.ts'
import { readBreakerFacts, type StrategyFacts } from './read-breaker-facts.ts'

interface BreakerParts {
  readonly db: Database
  readonly clock: Clock
  readonly log: Log
}

/**
 * Compares what was read last about every strategy with the settings of organizations, all of them or these, and opens
 * and closes their circuit breakers. The change of a breaker commits with its event and with the evaluation of the
 * organization's wallets. Returns the number of breakers that changed. One statement where no organization has any.
 */
export async function evaluateBreakers(parts: BreakerParts, only?: readonly number[]): Promise<number> {
  let changed = 0
  for (let after = 0; ; ) {
    const page = await settingsAfter(parts.db, after, only)
    const last = page.at(-1)
    if (last === undefined) return changed
    const due = await findDue(parts.db, page, parts.clock.now())
    await runItems(parts, due, {
      job: 'evaluate circuit breakers',
      keyOf: String,
      work: async (organizationId) => {
        changed += await evaluateOrganization(parts, organizationId)
      },
    })
    if (page.length < BREAKERS_BATCH) return changed
    after = last.organizationId
  }
}

interface OrganizationSettings {
  readonly organizationId: number
  readonly settings: BreakerSettings
}

async function settingsAfter(db: Database, after: number, only: readonly number[] | undefined) {
  if (only?.length === 0) return []
  const rows = await db
    .selectFrom('breaker_settings')
    .select(['organization_id', 'settings'])
    .where('organization_id', '>', after)
    .$if(only !== undefined, (query) => query.where('organization_id', 'in', only!))
    .orderBy('organization_id')
    .limit(BREAKERS_BATCH)
    .execute()
  return rows.map(
    ({ organization_id, settings }): OrganizationSettings => ({ organizationId: organization_id, settings }),
  )
}

/** The organizations whose breakers would change, read without a lock: usually there are none. Two statements. */
async function findDue(db: Database, page: readonly OrganizationSettings[], now: Date): Promise<number[]> {
  const ids = page.map(({ organizationId }) => organizationId)
  const facts = Map.groupBy(await readBreakerFacts(db, ids, now), ({ organizationId }) => organizationId)
  const rows = await db.selectFrom('circuit_breakers').selectAll().where('organization_id', 'in', ids).execute()
  const breakers = Map.groupBy(rows.map(breakerFrom), ({ organizationId }) => organizationId)
  const isDue = ({ organizationId, settings }: OrganizationSettings) => {
    const own = { facts: facts.get(organizationId) ?? [], breakers: breakers.get(organizationId) ?? [] }
    return pendingChanges({ settings, ...own, now }).length > 0
  }
  return page.filter(isDue).map(({ organizationId }) => organizationId)
}

async function evaluateOrganization({ db, clock, log }: BreakerParts, organizationId: number): Promise<number> {
  return inTransaction(db, async (tx) => {
    const settings = await lockSettings(tx, organizationId)
    if (!settings) return 0
    const at = clock.now()
    const breakers = await readBreakersOf(tx, organizationId)
    const facts = await readBreakerFacts(tx, [organizationId], at)
    const events: NewEvent[] = []
    let moved = 0
    for (const { breaker, judgement, strategy } of pendingChanges({ settings, breakers, facts, now: at })) {
      if (judgement === 'first code') {
        await acceptFirstCode(tx, breaker, strategy.code!, at)
        continue
      }
      const code = breaker.kind === 'upgrade' ? strategy.code : null
      const result = await advanceBreaker(tx, breaker, { ...judgement, code, at })
      moved += 1
      const { strategyId, kind, state } = result.breaker
      log.warn({ organizationId, strategyId, kind, state }, 'a circuit breaker changed its state')
      if (result.emits) events.push(breakerEvent(result.breaker, result.emits, { strategy: strategy.strategyName, at }))
    }
    await emit(tx, events)
    if (moved > 0) await scheduleOrganizationEvaluations(tx, organizationId, at)
    return moved
  })
}

/** The row of the settings serializes everything that changes an organization's breakers. */
export async function lockSettings(tx: Tx, organizationId: number): Promise<BreakerSettings | undefined> {
  const row = await tx
    .selectFrom('breaker_settings')
    .select('settings')
    .where('organization_id', '=', organizationId)
    .forUpdate()
    .executeTakeFirst()
  return row?.settings
}

export async function readBreakersOf(db: Database | Tx, organizationId: number): Promise<Breaker[]> {
  const rows = await db
    .selectFrom('circuit_breakers')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .execute()
  return rows.map(breakerFrom)
}

interface OrganizationState {
  readonly settings: BreakerSettings
  readonly breakers: readonly Breaker[]
  readonly facts: readonly StrategyFacts[]
  readonly now: Date
}

interface PendingChange {
  readonly breaker: Breaker
  readonly strategy: StrategyFacts
  readonly judgement: Judgement | 'first code'
}

/** The breakers of one organization that its facts change. Pure. */
function pendingChanges({ settings, breakers, facts, now }: OrganizationState): PendingChange[] {
  const known = new Map(breakers.map((breaker) => [`${breaker.strategyId} ${breaker.kind}`, breaker]))
  return facts.flatMap((strategy) =>
    BREAKER_KINDS.flatMap((kind): PendingChange[] => {
      const { organizationId, strategyId } = strategy
      const breaker = known.get(`${strategyId} ${kind}`) ?? newBreaker({ organizationId, strategyId, kind })
      const isFirstCode = kind === 'upgrade' && settings.onUpgrade && breaker.acceptedCode === null
      if (isFirstCode) return strategy.code === null ? [] : [{ breaker, strategy, judgement: 'first code' }]
      const judgement = judgeBreaker(breaker, settings, strategy, now)
      return judgement ? [{ breaker, strategy, judgement }] : []
    }),
  )
}
