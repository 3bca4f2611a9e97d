import fc from 'fast-check'
import { serializeTransaction } from 'viem'
import { expect, test } from 'vitest'
import { maxAmount } from '../../../kernel/index.ts'
import type { EvmSenderState } from '../../port/sender-state.ts'
import { feeCaps, replacementFees } from './fees.ts'

const GWEI = 10n ** 9n
const bytes = (maxFeePerGas: bigint, maxPriorityFeePerGas: bigint) =>
  serializeTransaction({
    chainId: 1,
    to: '0x0000000000000000000000000000000000000001',
    nonce: 3,
    gas: 21_000n,
    maxFeePerGas,
    maxPriorityFeePerGas,
  })
const stateAt = (baseFeePerGas: bigint, tip = GWEI): EvmSenderState => ({
  family: 'evm',
  nonces: { pending: 4, latest: 3, block: 0 },
  native: 10n ** 18n,
  baseFeePerGas,
  ...feeCaps('ethereum', baseFeePerGas, tip),
})

test('a replacement pays at least a tenth more than the pending bytes and what new bytes pay, or there is none', () => {
  const gwei = fc.bigInt({ min: 1n, max: 500n * GWEI })
  fc.assert(
    fc.property(gwei, gwei, gwei, (base, maxFee, tip) => {
      const current = stateAt(base)
      const raised = replacementFees(bytes(maxAmount(maxFee, tip), tip), current)
      if (!raised) return
      expect(raised.maxFeePerGas * 10n).toBeGreaterThanOrEqual(maxAmount(maxFee, tip) * 11n)
      expect(raised.maxPriorityFeePerGas * 10n).toBeGreaterThanOrEqual(tip * 11n)
      expect(raised.maxFeePerGas).toBeGreaterThanOrEqual(current.maxFeePerGas)
      expect(raised.maxPriorityFeePerGas).toBeGreaterThanOrEqual(current.maxPriorityFeePerGas)
      expect(raised.maxFeePerGas).toBeGreaterThanOrEqual(raised.maxPriorityFeePerGas)
      expect(raised.maxFeePerGas).toBeLessThanOrEqual(current.maxFeePerGas * 4n)
      expect(raised.maxPriorityFeePerGas).toBeLessThanOrEqual(current.maxPriorityFeePerGas * 4n)
    }),
  )
})

test('fees that are far above the present ones are not raised', () => {
  const { maxFeePerGas } = stateAt(10n * GWEI)
  expect(replacementFees(bytes(maxFeePerGas * 4n, GWEI), stateAt(10n * GWEI))).toBeUndefined()
  expect(replacementFees(bytes(maxFeePerGas, 4n * GWEI), stateAt(10n * GWEI))).toBeUndefined()
  expect(replacementFees(bytes(maxFeePerGas * 4n, 4n * GWEI), stateAt(50n * GWEI, 4n * GWEI))).toBeDefined()
})
