import { BLOCKCHAINS } from '../../chains/index.ts'
import { type Transact, transactOn } from '../../database/index.ts'
import { lockOrganization } from '../../identity/index.ts'
import { validationError, versionConflict } from '../../kernel/index.ts'
import { listVenues } from '../../venues/index.ts'
import { scheduleOrganizationEvaluations } from '../../wallets/index.ts'
import type { RebalanceParts } from '../parts.ts'
import { coveredBy, type DepositLimits } from './deposit-limits.ts'

/** The limits in force. */
export interface LimitsInForce {
  readonly limits: DepositLimits
  /** `null`: the organization never set any, and the defaults of the installation apply. */
  readonly updatedAt: Date | null
}

export interface DepositLimitsChange {
  readonly organizationId: number
  readonly limits: DepositLimits
  /** When the limits that its author changed were set; `null`: never; absent: whenever. */
  readonly basedOn?: Date | null | undefined
}

/**
 * Replaces the organization's limits. Positions stay where they are; its operational wallets are evaluated again.
 * VALIDATION_ERROR names a cap or strategy that exists nowhere: a misspelt name would limit nothing. CONFLICT with
 * `details.reason` `changed_meanwhile` when the limits are not those that the author changed.
 */
export async function setDepositLimits(
  parts: Pick<RebalanceParts, 'db' | 'clock'>,
  { organizationId, limits, basedOn }: DepositLimitsChange,
  transact: Transact<LimitsInForce> = transactOn(parts.db),
): Promise<LimitsInForce> {
  const strategies = (await listVenues(parts.db)).flatMap((venue) => venue.strategies)
  for (const [index, id] of (limits.allowedStrategies ?? []).entries())
    if (!strategies.some((strategy) => strategy.id === id))
      throw validationError(`allowedStrategies[${index}]`, 'must be the id of a strategy')
  const seen = new Set<string>()
  for (const [index, cap] of limits.caps.entries()) {
    const isKnown =
      cap.kind === 'blockchain'
        ? (BLOCKCHAINS as readonly string[]).includes(cap.of.toLowerCase())
        : strategies.some((strategy) => coveredBy(cap, strategy))
    if (!isKnown) throw validationError(`caps[${index}].of`, `must name a ${cap.kind} of the catalogue`)
    const key = `${cap.kind} ${cap.of.toLowerCase()}`
    if (seen.has(key)) throw validationError(`caps[${index}].of`, 'must not repeat another cap')
    seen.add(key)
  }
  return await transact(async (tx) => {
    // Limits that nobody set have no row to lock.
    await lockOrganization(tx, organizationId)
    const before = await tx
      .selectFrom('deposit_limits')
      .select('updated_at')
      .where('organization_id', '=', organizationId)
      .executeTakeFirst()
    const setAt = before?.updated_at ?? null
    if (basedOn !== undefined && basedOn?.getTime() !== setAt?.getTime())
      throw versionConflict({ updatedAt: setAt?.toISOString() ?? null })
    const at = parts.clock.now()
    const stored = { limits: JSON.stringify(limits), updated_at: at }
    await tx
      .insertInto('deposit_limits')
      .values({ organization_id: organizationId, ...stored })
      .onConflict((conflict) => conflict.column('organization_id').doUpdateSet(stored))
      .execute()
    await scheduleOrganizationEvaluations(tx, organizationId, at)
    return { limits, updatedAt: at }
  })
}
