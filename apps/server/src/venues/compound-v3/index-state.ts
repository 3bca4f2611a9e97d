import type { Chain, ContractRead } from '../../chains/index.ts'
import { ContractUnavailableError } from '../contract-unavailable.ts'
import { CLOCK } from '../evm/clock.ts'
import { integer, requireEvmChain } from '../evm/reader.ts'
import type { Strategy } from '../port.ts'
import { cometAbi } from './abi.ts'
import { accruedIndex } from './balance.ts'

/** A market's index at a block, and what a second adds to it. */
export interface IndexState {
  /** With the interest until that block, which Comet writes at its next accrual. */
  readonly index: bigint
  /** 1e18 = 100% a second. */
  readonly supplyRate: bigint
}

/**
 * The index of each market at a block or the latest. Comet stores it as of its last accrual and has no function for the
 * current one, so it is accrued here as Comet does, with Comet's own rate for the current utilization. Two requests.
 */
export async function readIndices(chain: Chain, strategies: readonly Strategy[], at?: number): Promise<IndexState[]> {
  const evm = requireEvmChain(chain)
  const calls = strategies.flatMap(({ params }): ContractRead[] => [
    cometCall(params.comet!, 'totalsBasic'),
    cometCall(params.comet!, 'getUtilization'),
  ])
  const [now, ...results] = await evm.multicall([CLOCK, ...calls], at)
  const time = integer(now, CLOCK)
  const states = strategies.map(({ params }, i) => ({
    stored: totalsIn(results[2 * i], params.comet!),
    rateCall: cometCall(params.comet!, 'getSupplyRate', [integer(results[2 * i + 1], calls[2 * i + 1]!)]),
  }))
  const rates = await evm.multicall(
    states.map(({ rateCall }) => rateCall),
    at,
  )
  return states.map(({ stored, rateCall }, i) => {
    const supplyRate = integer(rates[i], rateCall)
    const elapsed = time - BigInt(stored.lastAccrualTime)
    return { index: accruedIndex(stored.baseSupplyIndex, supplyRate, elapsed), supplyRate }
  })
}

export function cometCall(address: string, functionName: string, args: readonly unknown[] = []): ContractRead {
  return { address, abi: cometAbi, functionName, args }
}

interface StoredIndex {
  readonly baseSupplyIndex: bigint
  readonly lastAccrualTime: number
}

function totalsIn(result: unknown, comet: string): StoredIndex {
  const read = result as Partial<StoredIndex> | undefined
  if (typeof read?.baseSupplyIndex === 'bigint' && typeof read.lastAccrualTime === 'number') return read as StoredIndex
  throw new ContractUnavailableError(comet, 'totalsBasic')
}
