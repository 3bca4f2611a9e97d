import type { Chain } from '../../chains/index.ts'
import type { Database } from '../../database/index.ts'
import { gainFromApy, maxAmount, mulDivUp } from '../../kernel/index.ts'
import { type DepositTerms, feeText, type Strategy, strategiesOnChain } from '../../venues/index.ts'
import { type GasCost, readGasCost } from '../gas/read-gas-cost.ts'
import type { Headrooms } from '../limits/read-cap-usage.ts'
import type { StrategyOption } from '../planner/allocator.ts'
import type { StrategyPosition } from '../planner/payable-positions.ts'
import type { RebalanceSettings } from '../settings.ts'
import type { WalletState } from './read-wallet-states.ts'

/** The strategies of one chain and token at present. */
export interface Market {
  readonly strategies: readonly Strategy[]
  /** Changes when a strategy is added, is removed or changes its status (contract 10). */
  readonly fingerprint: string
  readonly gas: GasCost
}

/** The decimals of the market's token; 0 where no strategy takes it. */
export const decimalsOf = ({ strategies }: Pick<Market, 'strategies'>): number => strategies[0]?.tokenDecimals ?? 0

/** The chain and token of a wallet, as a key. */
export const marketKey = ({ blockchain, opWallet }: Pick<WalletState, 'blockchain' | 'opWallet'>): string =>
  `${blockchain} ${opWallet.tokenAddress}`

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
  const decimals = decimalsOf({ strategies })
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
    .map(({ id, name, apy, minDeposit, maxDeposit, deposits, tvl, ...fees }) => ({
      strategyId: id,
      name,
      apy,
      minDeposit,
      maxDeposit,
      deposits: deposits && afterInterest(deposits, { tvl, apy }),
      entryFee: feeText(fees, 'entry'),
      excluded: null,
      headroom: headrooms.get(id)?.amount ?? null,
      headroomReason: headrooms.get(id)?.because,
      gas: gas.roundTrip + (known.has(id) ? 0n : gas.accountOpening),
    }))
}

/** How long a deposit may take from its plan to its block. */
const ON_THE_WAY_DAYS = 1 / 24
const RATE_SCALE = 10n ** 15n

/** Interest counts towards a cap: what the whole strategy earns while a deposit is on its way leaves that much less room. */
function afterInterest(deposits: DepositTerms, { tvl, apy }: Pick<Strategy, 'tvl' | 'apy'>): DepositTerms {
  if (deposits.room === null || tvl === null) return deposits
  const rate = BigInt(Math.ceil(gainFromApy(Math.max(apy, 0), ON_THE_WAY_DAYS) * Number(RATE_SCALE)))
  const room = maxAmount(deposits.room - mulDivUp(tvl, rate, RATE_SCALE), 0n)
  return deposits.state === 'open' && room === 0n ? { state: 'full', room } : { ...deposits, room }
}
