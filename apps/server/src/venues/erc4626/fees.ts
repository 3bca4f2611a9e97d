import type { Address } from 'viem'
import type { Chain, ContractRead } from '../../chains/index.ts'
import { Failure, maxAmount, minAmount, mulDivUp, VAULT_FEE_MAX } from '../../kernel/index.ts'
import { integer, requireEvmChain } from '../evm/reader.ts'
import type { PlanStep, Rates, Strategy, SupplyPlan, UnwindPlan } from '../port.ts'
import { vaultAbi } from './abi.ts'
import { PRICE_SCALE, priceCall, sharesToAssets } from './price.ts'

/** Hundredths of a percent. */
const WHOLE = 10_000n
/** The part by which a withdrawal may miss its price and what is announced: a fee on yield since the last reading. */
const READING_TOLERANCE = 10_000n
/** Base units that the rounding of two divisions may take. */
const ROUNDING = 2n

const preview = ({ params }: Strategy, functionName: string, amount: bigint): ContractRead => {
  return { address: params.vault! as Address, abi: vaultAbi, functionName, args: [amount] }
}

/** The shares that an amount buys or burns at this price, rounded up. */
const sharesFor = (amount: bigint, price: bigint): bigint => mulDivUp(amount, PRICE_SCALE, price)

export type AnnouncedFees = Pick<Rates, 'entryFeeBps' | 'exitFeeBps'>

/** A million whole tokens: enough that rounding is no fee. */
const sampleOf = ({ tokenDecimals }: Strategy): bigint => 10n ** BigInt(tokenDecimals + 6)

/** What a vault announces to give for a deposit, and to pay for as many shares as its price is of. */
export function feeCalls(strategy: Strategy): readonly [ContractRead, ContractRead] {
  return [preview(strategy, 'previewDeposit', sampleOf(strategy)), preview(strategy, 'previewRedeem', PRICE_SCALE)]
}

/**
 * The fees in the results of {@link feeCalls}. A vault that announces nothing at all gives no answer: some know by whom
 * they are asked, and vaults that pay by request have no such function.
 */
export function feesFrom(strategy: Strategy, reportedPrice: bigint, results: readonly unknown[]): AnnouncedFees {
  const [bought, paid] = results
  const sample = sampleOf(strategy)
  const isTold = (result: unknown): result is bigint => typeof result === 'bigint' && result > 0n
  return {
    ...(isTold(bought) && { entryFeeBps: partOf(sample - sharesToAssets(bought, reportedPrice), sample) }),
    ...(isTold(paid) && { exitFeeBps: partOf(reportedPrice - paid, reportedPrice) }),
  }
}

/** In hundredths of a percent, rounded down: rounding in the vault is no fee. */
const partOf = (part: bigint, whole: bigint): number =>
  part <= 0n || whole === 0n ? 0 : Number((part * WHOLE) / whole)

/** What a vault says that a deposit gives: by the standard, after its fee. */
export const previewDepositCall = ({ strategy, amount }: Pick<SupplyPlan, 'strategy' | 'amount'>): ContractRead =>
  preview(strategy, 'previewDeposit', amount)

/**
 * The shares that a deposit by Weir's own choice must give in its simulation. `announced` is the result of
 * {@link previewDepositCall}; a vault without that function is judged by the simulation alone. Throws STRATEGY_NOT_ACTIVE
 * with `details.reason` `entry_fee` where the vault announces that it keeps more than it may.
 */
export function leastShares(
  { isOwnChoice, amount }: Pick<SupplyPlan, 'isOwnChoice' | 'amount'>,
  reportedPrice: bigint,
  announced: unknown,
): Pick<PlanStep, 'returnsAtLeast'> {
  if (!isOwnChoice || reportedPrice === 0n) return {}
  const least = maxAmount(amount - mulDivUp(amount, VAULT_FEE_MAX, WHOLE) - ROUNDING, 0n)
  if (typeof announced === 'bigint' && sharesToAssets(announced, reportedPrice) < least)
    throw new Failure('STRATEGY_NOT_ACTIVE', {
      message: 'The vault keeps a part of each deposit as a fee.',
      details: { reason: 'entry_fee' },
    })
  return { returnsAtLeast: sharesFor(least, reportedPrice) }
}

/**
 * What a withdrawal by Weir's own choice must pay, or may take, in its simulation. What the vault itself announces counts
 * where it is worse than the worth: a fee for leaving is no hidden loss. Throws CHAIN_UNAVAILABLE.
 */
export function exitBounds(
  chain: Chain,
  plan: UnwindPlan,
): Promise<Pick<PlanStep, 'returnsAtLeast' | 'returnsAtMost'>> | undefined {
  const { strategy, amount, shares, worth } = plan
  if (worth === undefined) return undefined
  return amount === 'full' ? leastReturned(chain, { strategy, shares, worth }) : mostTaken(chain, strategy, amount)
}

async function leastReturned(
  chain: Chain,
  { strategy, shares, worth }: { strategy: Strategy; shares: bigint; worth: bigint },
): Promise<Pick<PlanStep, 'returnsAtLeast'>> {
  const [announced] = await requireEvmChain(chain).multicall([preview(strategy, 'previewRedeem', shares)])
  const least = typeof announced === 'bigint' && announced > 0n ? minAmount(announced, worth) : worth
  return { returnsAtLeast: least - least / READING_TOLERANCE - ROUNDING }
}

async function mostTaken(chain: Chain, strategy: Strategy, amount: bigint): Promise<Pick<PlanStep, 'returnsAtMost'>> {
  const calls = [priceCall(strategy), preview(strategy, 'previewWithdraw', amount)] as const
  const [price, announced] = await requireEvmChain(chain).multicall(calls)
  const reportedPrice = integer(price, calls[0])
  if (reportedPrice === 0n) return {}
  const fair = sharesFor(amount + ROUNDING, reportedPrice)
  const most = typeof announced === 'bigint' ? maxAmount(announced, fair) : fair
  return { returnsAtMost: most + most / READING_TOLERANCE }
}
