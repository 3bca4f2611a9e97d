import type { Address } from 'viem'
import type { Chain } from '../../chains/index.ts'
import { maxAmount, WITHDRAWAL_PROBES } from '../../kernel/index.ts'
import { contractCall } from '../evm/contract-call.ts'
import { requireEvmChain } from '../evm/reader.ts'
import type { PositionReading, SharesQuery } from '../port.ts'
import { vaultAbi } from './abi.ts'
import { sharesToAssets } from './price.ts'

/** A node may be some blocks behind the one that gave the price, where the shares were worth a little less. */
const PRICE_DRIFT = 1_000_000n
const ROUNDING = 2n

/**
 * What a vault that reports no limit pays its owner now, found by simulated withdrawals: the whole value, then powers
 * of four of it, then evenly between the largest that works and the smallest that does not. The result is too low by at
 * most three quarters of the position divided by (points + 1)^rounds. Each step is one HTTP call. It never redeems
 * shares: some vaults redeem at a loss what they do not withdraw.
 */
export async function simulateWithdrawable(
  chain: Chain,
  { strategy, owner }: SharesQuery,
  { shares, price }: Pick<PositionReading, 'shares' | 'price'>,
): Promise<bigint> {
  const value = sharesToAssets(shares, price)
  const vault = strategy.params.vault!
  const account = owner as Address
  const evm = requireEvmChain(chain)
  const { points, rounds } = WITHDRAWAL_PROBES
  const pays = async (amount: bigint) => {
    const call = contractCall(vault, { abi: vaultAbi, functionName: 'withdraw', args: [amount, account, account] })
    return evm.callSucceeds(owner, call)
  }
  // Alone: most vaults that report 0 by design pay everything.
  if (await pays(maxAmount(value - value / PRICE_DRIFT - ROUNDING, 1n))) return value
  const steps = Array.from({ length: points }, (_, i) => value / 4n ** BigInt(i + 1)).filter((amount) => amount > 0n)
  const paid = await Promise.all(steps.map(pays))
  const first = paid.indexOf(true)
  if (first === -1) return 0n
  let [low, high] = [steps[first]!, steps[first - 1] ?? value]
  for (let round = 0; round < rounds && high - low > 1n; round += 1) {
    const between = evenlyBetween(low, high, points)
    const works = await Promise.all(between.map(pays))
    const last = works.lastIndexOf(true)
    ;[low, high] = [between[last] ?? low, between[last + 1] ?? high]
  }
  return low
}

function evenlyBetween(low: bigint, high: bigint, count: number): bigint[] {
  const amounts = Array.from({ length: count }, (_, i) => low + ((high - low) * BigInt(i + 1)) / BigInt(count + 1))
  return [...new Set(amounts)].filter((amount) => amount > low && amount < high)
}
