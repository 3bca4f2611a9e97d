import type { ContractRead } from '../../chains/index.ts'
import type { WithdrawalState } from '../../database/index.ts'
import { maxAmount, minAmount, mulDivDown, mulDivUp } from '../../kernel/index.ts'
import { ContractUnavailableError } from '../contract-unavailable.ts'
import { erc20Abi } from '../evm/erc20.ts'
import { integer } from '../evm/reader.ts'
import type { DepositTerms, Strategy } from '../port.ts'
import { termsOfRoom } from '../require-deposit-accepted.ts'
import { aTokenAbi, poolAbi } from './abi.ts'
import { rayMul } from './ray.ts'

/** What all depositors of a reserve share. Amounts in base units. */
export interface ReserveState {
  /** In rays. */
  readonly price: bigint
  readonly tvl: bigint
  readonly liquidity: bigint
  /** Rays per year, accrued every second. */
  readonly liquidityRate: bigint
  readonly deposits: DepositTerms
  readonly withdrawals: WithdrawalState
}

interface ReserveData {
  readonly configuration: bigint
  readonly liquidityIndex: bigint
  readonly currentLiquidityRate: bigint
  readonly accruedToTreasury: bigint
}

/** How many reads {@link reserveCalls} has. */
export const RESERVE_CALLS = 5

export function priceCall(strategy: Strategy): ContractRead {
  return {
    address: strategy.params.pool!,
    abi: poolAbi,
    functionName: 'getReserveNormalizedIncome',
    args: [strategy.tokenAddress],
  }
}

/** The reads of a reserve's state. */
export function reserveCalls(strategy: Strategy): ContractRead[] {
  const { aToken, pool } = strategy.params as { aToken: string; pool: string }
  const token = strategy.tokenAddress
  return [
    priceCall(strategy),
    { address: aToken, abi: aTokenAbi, functionName: 'totalSupply' },
    { address: token, abi: erc20Abi, functionName: 'balanceOf', args: [aToken] },
    { address: pool, abi: poolAbi, functionName: 'getReserveData', args: [token] },
    // From release 3.1 on; a donation to the aToken is not liquidity there.
    { address: pool, abi: poolAbi, functionName: 'getVirtualUnderlyingBalance', args: [token] },
  ]
}

/**
 * The state in the results of {@link reserveCalls}. The pool lends out what it holds; a withdrawal takes what is there,
 * even from a frozen reserve, and nothing from a paused one.
 */
export function reserveStateFrom(strategy: Strategy, results: readonly unknown[]): ReserveState {
  const [priceRead, supplyRead, idleRead, dataRead] = reserveCalls(strategy)
  const [priceResult, supplyResult, idleResult, data, virtual] = results
  const price = integer(priceResult, priceRead!)
  const tvl = integer(supplyResult, supplyRead!)
  const idle = integer(idleResult, idleRead!)
  if (!isReserveData(data)) throw new ContractUnavailableError(dataRead!.address, dataRead!.functionName)
  const { isActive, isFrozen, isPaused, supplyCap, reserveFactor } = readConfiguration(data.configuration)
  const cap = supplyCap * 10n ** BigInt(strategy.tokenDecimals)
  const room = cap === 0n ? null : maxAmount(cap - tvl - treasuryShare(data, { price, tvl, reserveFactor }) - 2n, 0n)
  const isClosed = !isActive || isPaused
  return {
    price,
    tvl,
    liquidity: typeof virtual === 'bigint' ? minAmount(idle, virtual) : idle,
    liquidityRate: data.currentLiquidityRate,
    deposits: isClosed ? { state: 'paused', room: 0n } : isFrozen ? { state: 'frozen', room: 0n } : termsOfRoom(room),
    withdrawals: isClosed ? 'paused' : 'open',
  }
}

const BASIS_POINTS = 10_000n

/**
 * Bits of Aave's ReserveConfiguration: 56 active, 57 frozen, 60 paused, 64 to 79 the reserve factor in basis points, 116
 * to 151 the supply cap in whole tokens.
 */
function readConfiguration(bits: bigint) {
  const flag = (bit: bigint) => ((bits >> bit) & 1n) === 1n
  const field = (from: bigint, width: bigint) => (bits >> from) & (2n ** width - 1n)
  return {
    isActive: flag(56n),
    isFrozen: flag(57n),
    isPaused: flag(60n),
    reserveFactor: field(64n, 16n),
    supplyCap: field(116n, 36n),
  }
}

/**
 * What counts towards the cap and belongs to the treasury: what it was credited, and its part of the interest since
 * then, which the next deposit credits before it compares. Depositors got the rest of that interest.
 */
function treasuryShare(
  { accruedToTreasury, liquidityIndex }: ReserveData,
  { price, tvl, reserveFactor }: { readonly price: bigint; readonly tvl: bigint; readonly reserveFactor: bigint },
): bigint {
  const credited = rayMul(accruedToTreasury, price)
  if (price === 0n || reserveFactor >= BASIS_POINTS) return credited
  const earned = tvl - mulDivDown(tvl, liquidityIndex, price)
  return credited + mulDivUp(earned, reserveFactor, BASIS_POINTS - reserveFactor)
}

function isReserveData(data: unknown): data is ReserveData {
  const read = data as Partial<ReserveData> | undefined
  return [read?.configuration, read?.liquidityIndex, read?.currentLiquidityRate, read?.accruedToTreasury].every(
    (field) => typeof field === 'bigint',
  )
}
