/** The default cost caps, well above busy-hour prices. A custom list may override them. */
const GWEI = 1_000_000_000n
const ETHER = 10n ** 18n

const evm = (maxFee: bigint, tip: bigint, cost: bigint) => ({
  maxGas: '2000000',
  maxFeePerGas: String(maxFee * GWEI),
  maxPriorityFeePerGas: String(tip * GWEI),
  maxCost: String(cost),
})

export const EVM_FEES = {
  ethereum: evm(500n, 50n, ETHER / 5n),
  polygon: evm(10_000n, 2_000n, 10n * ETHER),
  base: evm(50n, 10n, ETHER / 50n),
} as const

/** In lamports: 0.002 SOL. */
export const SOLANA_FEES = { maxUnits: '1400000', maxCost: '2000000' } as const
