import type { ContractRead } from '../../chains/index.ts'
import { minAmount, mulDivDown, VAULT_SHORTFALL_MAX } from '../../kernel/index.ts'
import { integer } from '../evm/reader.ts'
import type { DepositTerms, Strategy } from '../port.ts'
import { vaultAbi } from './abi.ts'
import { priceCall, sharesToAssets } from './price.ts'

/** Deposits to this address cover losses: nobody can withdraw its shares. */
const COVERING = '0x0000000000000000000000000000000000000001'

/** What a vault says of its own price, and what it holds of it. */
export interface Pricing {
  /** As the vault itself reports it, and pays it while others' money is there. */
  readonly reportedPrice: bigint
  /** The part of it that the vault holds: what everybody would get if all left together. */
  readonly price: bigint
  /** Of what the vault counts as its assets, what its markets lost. */
  readonly lost: bigint
  /** The part of that which nobody has paid for; `undefined`: the vault reports no losses. */
  readonly shortfall: bigint | undefined
}

/**
 * MetaMorpho V1.1, and vaults made from it, count what their markets lost among their assets: neither the share price
 * nor the limits show it, and the last ones to withdraw are not paid (ADR 183). `lostAssets` reports it.
 */
export function pricingCalls(strategy: Strategy): readonly [ContractRead, ContractRead, ContractRead, ContractRead] {
  const read = (functionName: string, ...args: readonly unknown[]) => {
    return { address: strategy.params.vault!, abi: vaultAbi, functionName, args }
  }
  return [priceCall(strategy), read('lostAssets'), read('totalAssets'), read('balanceOf', COVERING)]
}

/** In the results of {@link pricingCalls}. Throws ContractUnavailableError without a price, or where a loss has no measure. */
export function pricingFrom(strategy: Strategy, results: readonly unknown[]): Pricing {
  const calls = pricingCalls(strategy)
  const reportedPrice = integer(results[0], calls[0])
  const lost = results[1]
  if (typeof lost !== 'bigint') return { reportedPrice, price: reportedPrice, lost: 0n, shortfall: undefined }
  if (lost === 0n) return { reportedPrice, price: reportedPrice, lost, shortfall: 0n }
  const total = integer(results[2], calls[2])
  // A contract of another kind may mean something else by that function.
  if (lost > total) return { reportedPrice, price: reportedPrice, lost: 0n, shortfall: undefined }
  const covered = minAmount(sharesToAssets(integer(results[3], calls[3]), reportedPrice), total)
  const [held, owed] = [total - lost, total - covered]
  if (held >= owed) return { reportedPrice, price: reportedPrice, lost, shortfall: 0n }
  return { reportedPrice, price: mulDivDown(reportedPrice, held, owed), lost, shortfall: owed - held }
}

const WHOLE = 10_000n

/** Whether a deposit would lose more at once than rounding explains. */
export const hasShortfall = ({ reportedPrice, price }: Pricing): boolean =>
  (reportedPrice - price) * WHOLE > reportedPrice * VAULT_SHORTFALL_MAX

/** The terms of a vault that is short: it would take deposits at the undiminished price. */
export const closedOnShortfall = (pricing: Pricing, terms: DepositTerms): DepositTerms =>
  hasShortfall(pricing) ? { state: 'full', room: 0n } : terms
