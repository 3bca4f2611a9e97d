import type { Chain, ContractRead } from '../../chains/index.ts'
import { ContractUnavailableError } from '../contract-unavailable.ts'
import { positions as positionsOfVault } from '../erc4626/positions.ts'
import { rates as ratesOfVault } from '../erc4626/rates.ts'
import { requireEvmChain } from '../evm/reader.ts'
import type { BlockTime, PositionReading, Rates, RatesQuery, SharesQuery, Strategy } from '../port.ts'
import { cooldownVaultAbi } from './abi.ts'

export function durationCall(strategy: Strategy): ContractRead {
  return { address: strategy.params.vault!, abi: cooldownVaultAbi, functionName: 'cooldownDuration', args: [] }
}

/** Seconds that a withdrawal waits, of each strategy in order; 0: withdrawals pay at once. */
export async function readDurations(
  chain: Chain,
  strategies: readonly Strategy[],
  at?: number,
): Promise<readonly bigint[]> {
  if (strategies.length === 0) return []
  const calls = strategies.map(durationCall)
  const read = await requireEvmChain(chain).multicall(calls, at)
  return calls.map((call, index) => durationFrom(read[index], call))
}

/** Short integers are decoded as numbers. */
export function durationFrom(result: unknown, call: ContractRead): bigint {
  if (typeof result === 'number' || typeof result === 'bigint') return BigInt(result)
  throw new ContractUnavailableError(call.address, call.functionName)
}

/** `maxWithdraw` of these vaults returns the position, even while the cooldown forbids withdrawals. */
export async function positions(chain: Chain, queries: readonly SharesQuery[]): Promise<PositionReading[]> {
  const [read, durations] = await Promise.all([
    positionsOfVault(chain, queries),
    readDurations(
      chain,
      queries.map(({ strategy }) => strategy),
    ),
  ])
  return read.map((position, index) => (durations[index] === 0n ? position : { ...position, withdrawable: 0n }))
}

export async function rates(chain: Chain, queries: readonly RatesQuery[], at?: BlockTime): Promise<Rates[]> {
  const [read, durations] = await Promise.all([
    ratesOfVault(chain, queries, at),
    readDurations(
      chain,
      queries.map(({ strategy }) => strategy),
      at?.number,
    ),
  ])
  return read.map((own, index) => {
    const cooldownSeconds = Number(durations[index])
    return { ...own, cooldownSeconds, ...(cooldownSeconds > 0 && { liquidity: 0n }) }
  })
}
