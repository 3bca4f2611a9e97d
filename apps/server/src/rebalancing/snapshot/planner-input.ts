import { presentValue, type WalletExit } from '../../allocations/index.ts'
import type { StoppedStrategy } from '../../breakers/index.ts'
import type { Database } from '../../database/index.ts'
import { NOTHING_WITHDRAWABLE_AGE_MAX_MS, WITHDRAWABLE_AGE_MAX_MS } from '../../kernel/index.ts'
import { feeText, venueFor } from '../../venues/index.ts'
import { isOneOfWallets, type OperationalWalletId } from '../../wallets/index.ts'
import { restOf } from '../awaited/awaited-withdrawal.ts'
import type { ExcludedStrategies } from '../exclusions/excluded-strategies.ts'
import type { Headrooms } from '../limits/read-cap-usage.ts'
import type { StrategyPosition } from '../planner/payable-positions.ts'
import type { PlannerInput } from '../planner/rebalance-plan.ts'
import { baseUnitsOf, type RebalanceSettings } from '../settings.ts'
import { decimalsOf, type Market, strategyOptionsOf } from '../state/read-market.ts'
import type { WalletState } from '../state/read-wallet-states.ts'

/** What the planner's input for one operational wallet is built from. Amounts in base units. */
export interface PlannerReadings {
  readonly wallet: Pick<WalletState, 'opWallet' | 'onHold' | 'awaited'>
  readonly market: Market
  readonly headrooms: Headrooms
  /** Balance in the chain's latest block. */
  readonly onChain: bigint
  readonly holdings: readonly StrategyPosition[]
  /** What was requested back and is not claimed. */
  readonly exits: readonly WalletExit[]
  /** Why strategies are left out, by move and strategy. */
  readonly excluded: ExcludedStrategies
  /** Until when the withdrawal of all of a position, or a claim, is not planned because it was rejected. */
  rejectedUntil(purpose: 'evacuation' | 'claim', strategyId: number): Date | undefined
  /** Refills concern the wallet, whichever strategy they use. */
  readonly isRefillRejected: boolean
  readonly isRefillOnly?: boolean
  /** The strategies whose circuit breakers stop deposits of the organization. */
  readonly stopped: ReadonlyMap<number, StoppedStrategy>
}

export function plannerInputOf(readings: PlannerReadings, settings: RebalanceSettings): PlannerInput {
  const { wallet, market, headrooms, onChain, holdings, exits, excluded, stopped } = readings
  const decimals = decimalsOf(market)
  return {
    available: onChain,
    buffer: wallet.opWallet.buffer,
    onHold: wallet.onHold,
    enableYield: wallet.opWallet.enableYield,
    options: strategyOptionsOf(market, headrooms, holdings).map((option) => ({
      ...option,
      excluded: stopped.get(option.strategyId)?.reason ?? excluded.reasonFor('SUPPLY', option.strategyId),
    })),
    holdings: holdings.map((holding) => ({
      ...holding,
      excluded: excluded.reasonFor('UNWIND', holding.strategyId),
      askAtMost: excluded.askAtMost(holding.strategyId),
      awaited: awaitedOf(readings, holding),
      ...evacuationOf(readings, holding.strategyId),
    })),
    exits: exits.map((exit) => ({
      ...exit,
      excluded: excluded.reasonFor('CLAIM', exit.strategyId) ?? claimRejectionOf(readings, exit.strategyId),
    })),
    floor: baseUnitsOf(settings.floor, decimals),
    dust: baseUnitsOf(settings.dust, decimals),
    horizonDays: settings.horizonDays,
    isRefillRejected: readings.isRefillRejected,
    isRefillOnly: readings.isRefillOnly,
  }
}

function awaitedOf(
  { wallet, excluded }: PlannerReadings,
  { strategyId, value }: StrategyPosition,
): StrategyPosition['awaited'] {
  const found = wallet.awaited.find((awaited) => awaited.strategyId === strategyId)
  if (!found) return undefined
  const { awaitedId } = found
  return { awaitedId, rest: restOf(found, value), excluded: excluded.reasonForRequested(strategyId) }
}

/** Whether and why a position is to be withdrawn, and what still prevents it. */
function evacuationOf(
  { stopped, rejectedUntil }: PlannerReadings,
  strategyId: number,
): Pick<StrategyPosition, 'evacuate' | 'staysBecause'> {
  const stop = stopped.get(strategyId)
  if (!stop?.withdraw) return {}
  const until = rejectedUntil('evacuation', strategyId)
  return until
    ? {
        staysBecause: `its withdrawal was rejected, and is planned again after ${until.toISOString()} (${stop.reason})`,
      }
    : { evacuate: stop.reason }
}

function claimRejectionOf({ rejectedUntil }: PlannerReadings, strategyId: number): string | null {
  const until = rejectedUntil('claim', strategyId)
  return until ? `its claim was rejected, and is planned again after ${until.toISOString()}` : null
}

/** A position as the database knows it. */
export interface HeldPosition extends StrategyPosition {
  /** What was found last that it could withdraw; `null`: nothing, or too long ago. */
  readonly lastWithdrawable: bigint | null
}

/**
 * Positions by operational wallet, one for each strategy, valued at the latest recorded price. A closed one is worth 0,
 * and is returned only where no open one follows it. One statement.
 */
export async function readHoldings(
  db: Database,
  wallets: readonly OperationalWalletId[],
): Promise<ReadonlyMap<number, HeldPosition[]>> {
  const rows = await db
    .selectFrom('operational_wallets')
    .innerJoin('allocations', (join) =>
      join
        .onRef('allocations.organization_id', '=', 'operational_wallets.organization_id')
        .onRef('allocations.wallet_id', '=', 'operational_wallets.wallet_id'),
    )
    .innerJoin('strategies', (join) =>
      join
        .onRef('strategies.id', '=', 'allocations.strategy_id')
        .onRef('strategies.token_address', '=', 'operational_wallets.token_address'),
    )
    .select([
      'operational_wallets.id as op_wallet_id',
      'allocations.shares',
      'allocations.posted_price',
      'allocations.posted_value',
      'allocations.posted_at',
      'allocations.withdrawable',
      'allocations.withdrawable_at',
      'strategies.id as strategy_id',
      'strategies.name',
      'strategies.protocol',
      'strategies.apy',
      'strategies.price',
      'strategies.entry_fee_bps as entryFeeBps',
      'strategies.exit_fee_bps as exitFeeBps',
      'strategies.price_at',
    ])
    .where(isOneOfWallets('operational_wallets', wallets))
    // Each deposit after the end of a position opens another allocation; at most one is open.
    .distinctOn(['operational_wallets.id', 'strategies.id'])
    .orderBy('operational_wallets.id')
    .orderBy('strategies.id')
    .orderBy((where) => where('allocations.status', '=', 'CLOSED'))
    .orderBy('allocations.id', 'desc')
    .execute()
  const holdings = new Map<number, HeldPosition[]>()
  for (const row of rows) {
    const { strategy_id: strategyId, name, apy } = row
    const { exits } = venueFor(row.protocol)
    const holding = {
      strategyId,
      name,
      apy,
      value: presentValue(row).value,
      withdrawable: null,
      lastWithdrawable: lastWithdrawableOf(row),
      exitFee: feeText(row, 'exit'),
      excluded: null,
      ...(exits && { takesTime: true, restartsWithRequest: exits.restartsWithRequest }),
    }
    holdings.set(row.op_wallet_id, [...(holdings.get(row.op_wallet_id) ?? []), holding])
  }
  return holdings
}

/** Both times by the clock of the chain: the price is the fresher one. */
function lastWithdrawableOf(row: {
  readonly withdrawable: bigint | null
  readonly withdrawable_at: Date | null
  readonly price_at: Date | null
}): bigint | null {
  const { withdrawable, withdrawable_at: readAt, price_at: pricedAt } = row
  if (readAt === null || pricedAt === null) return null
  const most = withdrawable === 0n ? NOTHING_WITHDRAWABLE_AGE_MAX_MS : WITHDRAWABLE_AGE_MAX_MS
  return pricedAt.getTime() - readAt.getTime() <= most ? withdrawable : null
}
