import { assert, maxAmount, REPLACEMENT_FEE_MULTIPLE_MAX } from '../../../kernel/index.ts'
import type { ObservedTransaction } from '../../port/included-transaction.ts'
import type { Blockchain } from '../../port/networks.ts'
import { asEvmSenderState, type EvmSenderState, type SenderState } from '../../port/sender-state.ts'
import type { SignedTransaction } from '../../port/transaction-bytes.ts'
import { decodeUnsigned } from '../transactions/decode-unsigned.ts'

/**
 * The minimum tip, in wei, for prompt inclusion: polygon's validators refuse less than 25 gwei; base and ethereum take
 * almost nothing, but a zero tip waits.
 */
const MIN_PRIORITY_FEE: Readonly<Record<Blockchain, bigint>> = {
  ethereum: 100_000_000n,
  polygon: 30_000_000_000n,
  base: 1_000_000n,
  solana: 0n,
}

/**
 * The EIP-1559 fees of new bytes, in wei. The fee cap is twice the base fee plus the tip: the base fee can rise by an
 * eighth per block, so the bytes stay includable for at least six full blocks. The tip is the node's suggestion, but at
 * least the chain's minimum.
 */
export function feeCaps(
  blockchain: Blockchain,
  baseFeePerGas: bigint,
  suggestedTip: bigint,
): Pick<EvmSenderState, 'maxFeePerGas' | 'maxPriorityFeePerGas'> {
  const tip = maxAmount(suggestedTip, MIN_PRIORITY_FEE[blockchain])
  return { maxFeePerGas: baseFeePerGas * 2n + tip, maxPriorityFeePerGas: tip }
}

/** The maximum cost of transactions with these gas limits, in wei, including a rollup's data fee. */
export function networkFee(gas: readonly bigint[], senderState: SenderState): bigint {
  const { maxFeePerGas, dataFee = 0n } = asEvmSenderState(senderState)
  return gas.reduce((sum, limit) => sum + limit * maxFeePerGas + dataFee, 0n)
}

/** Whether nodes accept a fee bump: both fees of the replacement must be at least a tenth higher. */
export function canReplace(replacement: SignedTransaction, pending: SignedTransaction | ObservedTransaction): boolean {
  assert(replacement.family === 'evm' && pending.family === 'evm', 'EVM transactions')
  const offered = 'maxFeePerGas' in pending ? pending : pending.fees
  assert(offered !== undefined, 'a transaction that a node returned has fees')
  return (
    replacement.maxFeePerGas * 10n >= offered.maxFeePerGas * 11n &&
    replacement.maxPriorityFeePerGas * 10n >= offered.maxPriorityFeePerGas * 11n
  )
}

/** See the port. The ceiling is a multiple of what new bytes would offer now. */
export function replacementFees(unsignedBytes: string, senderState: SenderState): EvmSenderState | undefined {
  const current = asEvmSenderState(senderState)
  const pending = decodeUnsigned(unsignedBytes)
  const fees = {
    maxFeePerGas: maxAmount(current.maxFeePerGas, tenthMore(pending.maxFeePerGas)),
    maxPriorityFeePerGas: maxAmount(current.maxPriorityFeePerGas, tenthMore(pending.maxPriorityFeePerGas)),
  }
  const isAboveCeiling =
    fees.maxFeePerGas > current.maxFeePerGas * REPLACEMENT_FEE_MULTIPLE_MAX ||
    fees.maxPriorityFeePerGas > current.maxPriorityFeePerGas * REPLACEMENT_FEE_MULTIPLE_MAX
  return isAboveCeiling ? undefined : { ...current, ...fees }
}

/** Rounded up: nodes refuse a raise that is a unit short. */
const tenthMore = (fee: bigint) => (fee * 11n + 9n) / 10n
