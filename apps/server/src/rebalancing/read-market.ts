import type { Chain } from '../chains/index.ts'
import type { Database } from '../database/index.ts'
import { type Strategy, strategiesOnChain } from '../venues/index.ts'
import type { StrategyOption } from './allocator.ts'
import type { StrategyPosition } from './planner.ts'
import type { Headrooms } from './read-cap-usage.ts'
import { type GasCost, readGasCost } from './read-gas-cost.ts'
import type { RebalanceSettings } from './settings.ts'

/** The strategies of one chain and token at present. */
export interface Market {
  readonly strategies: readonly Strategy[]
  /** Changes when a strategy is added, is removed or changes its status (contract 10). */
  readonly fingerprint: string
  readonly gas: GasCost
}

interface MarketQuery {
  readonly tokenAddress: string
  readonly sender: string
  readonly settings: Pick<RebalanceSettings, 'nativeUsd'>
}

/** Reads the market of a token. `sender` is the address whose fees are estimated. One HTTP call at most. */
export async function readMarket(
  db: Database,
  chain: Chain,
  { tokenAddress, sender, settings }: MarketQuery,
): Promise<Market> {
  const all = await strategiesOnChain(db, chain.network.blockchain)
  const strategies = all.filter((strategy) => strategy.tokenAddress === tokenAddress)
  const decimals = strategies[0]?.tokenDecimals ?? 0
  const nativeUsd = settings.nativeUsd[chain.network.blockchain]
  return {
    strategies,
    fingerprint: strategies.map(({ id, status }) => `${id} ${status}`).join(', '),
    gas: await readGasCost(chain, sender, nativeUsd, decimals),
  }
}

/**
 * The strategies of a market that can take a deposit from a wallet. `headrooms` is the headroom under the organization's
 * caps and limits by strategy; `holdings` are the wallet's positions, past ones included.
 */
export function strategyOptionsOf(
  { strategies, gas }: Market,
  headrooms: Headrooms,
  holdings: readonly Pick<StrategyPosition, 'strategyId'>[],
): StrategyOption[] {
  const known = new Set(holdings.map(({ strategyId }) => strategyId))
  return strategies
    .filter(({ status }) => status === 'active')
    .map(({ id, name, apy, minDeposit, maxDeposit, deposits }) => ({
      strategyId: id,
      name,
      apy,
      minDeposit,
      maxDeposit,
      deposits,
      leftOut: null,
      headroom: headrooms.get(id)?.amount ?? null,
      headroomReason: headrooms.get(id)?.because,
      gas: gas.roundTrip + (known.has(id) ? 0n : gas.accountOpening),
    }))
}
