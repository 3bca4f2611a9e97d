import { type Database, emit, type NewEvent, type Transact, transactOn } from '../database/index.ts'
import { lockOrganization } from '../identity/index.ts'
import { type Clock, versionConflict } from '../kernel/index.ts'
import { scheduleOrganizationEvaluations } from '../wallets/index.ts'
import { advanceBreaker, clearAcceptedCode } from './advance-breaker.ts'
import { breakerEvent } from './breaker-event.ts'
import { type BreakerSettings, isOn } from './breaker-settings.ts'
import { lockSettings, readBreakersOf } from './evaluate-breakers.ts'
import { type BreakerSettingsInForce, readBreakerSettings } from './read-breakers.ts'

export interface BreakerSettingsChange {
  readonly organizationId: number
  readonly settings: BreakerSettings
  /** When the settings that its author changed were set; `null`: never; absent: whenever. */
  readonly basedOn?: Date | null | undefined
}

/**
 * Replaces an organization's settings. Breakers of a kind that is now off close; the others are judged at the next
 * evaluation. A breaker for upgrades that is switched on regards the code of that moment as known. CONFLICT with
 * `details.reason` `changed_meanwhile` when the settings are not those that the author changed.
 */
export async function setBreakerSettings(
  parts: { readonly db: Database; readonly clock: Clock },
  { organizationId, settings, basedOn }: BreakerSettingsChange,
  transact: Transact<BreakerSettingsInForce> = transactOn(parts.db),
): Promise<BreakerSettingsInForce> {
  return await transact(async (tx) => {
    // Settings that nobody set have no row to lock.
    await lockOrganization(tx, organizationId)
    const before = await lockSettings(tx, organizationId)
    const { updatedAt: setAt } = await readBreakerSettings(tx, organizationId)
    if (basedOn !== undefined && basedOn?.getTime() !== setAt?.getTime())
      throw versionConflict({ updatedAt: setAt?.toISOString() ?? null })
    const at = parts.clock.now()
    const stored = { settings: JSON.stringify(settings), updated_at: at }
    await tx
      .insertInto('breaker_settings')
      .values({ organization_id: organizationId, ...stored })
      .onConflict((conflict) => conflict.column('organization_id').doUpdateSet(stored))
      .execute()
    const events: NewEvent[] = []
    const strategies = await tx.selectFrom('strategies').select(['id', 'name']).execute()
    for (const breaker of await readBreakersOf(tx, organizationId)) {
      if (breaker.state === 'closed' || isOn(settings, breaker.kind)) continue
      const moved = await advanceBreaker(tx, breaker, { event: 'switched_off', measure: breaker.measure, at })
      const strategy = strategies.find(({ id }) => id === breaker.strategyId)?.name ?? ''
      if (moved.emits) events.push(breakerEvent(moved.breaker, moved.emits, { strategy, at }))
    }
    if (settings.onUpgrade && !before?.onUpgrade) await clearAcceptedCode(tx, organizationId, at)
    await emit(tx, events)
    await scheduleOrganizationEvaluations(tx, organizationId, at)
    return { settings, updatedAt: at }
  })
}
