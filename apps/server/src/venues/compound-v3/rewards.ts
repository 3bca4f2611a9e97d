import { isAddress, parseAbi, zeroAddress } from 'viem'
import type { Chain, ContractRead } from '../../chains/index.ts'
import { mulDivDown } from '../../kernel/index.ts'
import { CLOCK } from '../evm/clock.ts'
import { requireEvmChain } from '../evm/reader.ts'
import type { RewardReading, Strategy } from '../port.ts'
import { rewardSourceOf } from '../readings.ts'
import { INDEX_SCALE } from './balance.ts'
import { cometCall } from './index-state.ts'

/** Of the contract that pays what a market tracks. The first deployments pay exactly that and have no multiplier. */
const REWARDS = parseAbi([
  'function rewardConfig(address comet) view returns (address token, uint64 rescaleFactor, bool shouldUpscale, uint256 multiplier)',
])
const FIRST_REWARDS = parseAbi([
  'function rewardConfig(address comet) view returns (address token, uint64 rescaleFactor, bool shouldUpscale)',
])
const FACTOR_SCALE = 10n ** 18n

/**
 * What a market tracks for lenders at a block or the latest; `undefined` where it cannot be read. Like the index of
 * interest it is stored as of the last accrual, so it is accrued here as Comet does. One request.
 */
export async function readRewards(chain: Chain, strategy: Strategy, at?: number): Promise<RewardReading | undefined> {
  const [now, ...results] = await requireEvmChain(chain).multicall([CLOCK, ...callsOf(strategy)], at)
  const tracked = trackedIn(results, now, 10n ** BigInt(strategy.tokenDecimals))
  return tracked && { ...tracked.reading, ...paidIn(results.slice(TRACKING.length), tracked.scale) }
}

const TRACKING = ['totalsBasic', 'baseTrackingSupplySpeed', 'baseMinForRewards', 'trackingIndexScale']

function callsOf(strategy: Strategy): ContractRead[] {
  const { comet } = strategy.params
  const source = rewardSourceOf(strategy)
  const tracking = TRACKING.map((name) => cometCall(comet!, name))
  if (source === undefined) return tracking
  const config = { address: source.rewards, functionName: 'rewardConfig', args: [comet] }
  return [...tracking, { ...config, abi: REWARDS }, { ...config, abi: FIRST_REWARDS }]
}

interface Tracked {
  readonly reading: RewardReading
  readonly scale: bigint
}

function trackedIn(results: readonly unknown[], now: unknown, whole: bigint): Tracked | undefined {
  const [totals, speed, minimum, scale] = results
  const { trackingSupplyIndex: index, totalSupplyBase: supplied, lastAccrualTime } = (totals ?? {}) as Totals
  if (typeof index !== 'bigint' || typeof supplied !== 'bigint' || typeof lastAccrualTime !== 'number') return undefined
  if (typeof now !== 'bigint' || typeof speed !== 'bigint' || typeof minimum !== 'bigint') return undefined
  if (typeof scale !== 'bigint' || scale === 0n) return undefined
  if (speed === 0n || supplied === 0n || supplied < minimum) return { reading: { index, accrues: false }, scale }
  const elapsed = now - BigInt(lastAccrualTime)
  return { reading: { index: accruedTracking(index, { speed, elapsed, supplied, whole }), accrues: true }, scale }
}

interface Totals {
  readonly trackingSupplyIndex?: unknown
  readonly totalSupplyBase?: unknown
  readonly lastAccrualTime?: unknown
}

interface Tracking {
  /** Reward tokens a second for all lenders together. */
  readonly speed: bigint
  readonly elapsed: bigint
  /** All principals, and that of one token. */
  readonly supplied: bigint
  readonly whole: bigint
}

/** The tracking index that Comet writes when it accrues. */
export const accruedTracking = (stored: bigint, { speed, elapsed, supplied, whole }: Tracking): bigint =>
  stored + mulDivDown(speed * elapsed, whole, supplied)

/** The token of the rewards. The rescale factor of the contract only accounts for the decimals of the token. */
function paidIn([config, first]: readonly unknown[], scale: bigint): Pick<RewardReading, 'paidIn'> {
  const [token, , , multiplier = FACTOR_SCALE] = (config ?? first ?? []) as readonly [
    string?,
    bigint?,
    boolean?,
    bigint?,
  ]
  if (token === undefined || !isAddress(token) || token === zeroAddress) return {}
  return { paidIn: { token, factor: mulDivDown(multiplier, INDEX_SCALE, scale) } }
}
