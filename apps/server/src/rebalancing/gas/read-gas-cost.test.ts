import { expect, test } from 'vitest'
import { EVM_CAPABILITIES } from '../../chains/evm/capabilities.ts'
import type { Chain, ChainCapabilities, SenderState } from '../../chains/index.ts'
import { SOLANA_CAPABILITIES } from '../../chains/solana/capabilities.ts'
import { readGasCost } from './read-gas-cost.ts'

/** The part of a chain that the estimate calls, with the capabilities of its family. */
const chainWith = (capabilities: ChainCapabilities, senderState: SenderState) =>
  ({ ...capabilities, senderState: async () => senderState }) as unknown as Chain
const solana = chainWith(SOLANA_CAPABILITIES, { family: 'svm', priorityFee: 0n } as SenderState)
const evm = chainWith(EVM_CAPABILITIES, { family: 'evm', maxFeePerGas: 10n ** 10n } as SenderState)

test('on Solana a move costs two signatures, and a first deployment also the rent of an account', async () => {
  // At 100 USD a coin, one lamport is a ten-millionth of a dollar; a token account locks 2,039,280 of them.
  expect(await readGasCost(solana, 'wallet', { digits: 100n, scale: 0 }, 6)).toEqual({
    roundTrip: 1_000n,
    accountOpening: 203_928n,
  })
})

test('on an EVM chain a move costs the gas of an approval, a supply and an unwind, and no rent', async () => {
  // 980,000 units of gas at 10 gwei are 0.0098 coins of 100 USD each.
  expect(await readGasCost(evm, 'wallet', { digits: 100n, scale: 0 }, 6)).toEqual({
    roundTrip: 980_000n,
    accountOpening: 0n,
  })
})

test('without a price for the native coin, gas costs nothing', async () => {
  expect(await readGasCost(solana, 'wallet', undefined, 6)).toEqual({ roundTrip: 0n, accountOpening: 0n })
})
