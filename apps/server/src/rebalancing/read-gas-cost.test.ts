import { expect, test } from 'vitest'
import type { Chain, SenderState } from '../chains/index.ts'
import { readGasCost } from './read-gas-cost.ts'

const LAMPORTS_A_SIGNATURE = 5_000n
const facts = { family: 'svm' } as SenderState
/** The part of a chain that the estimate calls: Solana without priority fees. */
const solana = {
  network: { family: 'svm' },
  networkFee: (units: readonly bigint[]) => BigInt(units.length) * LAMPORTS_A_SIGNATURE,
  senderState: async () => facts,
} as unknown as Chain

test('on Solana a move costs two signatures, and a first deployment also the rent of an account', async () => {
  // At 100 USD a coin, one lamport is a ten-millionth of a dollar; a token account locks 2,039,280 of them.
  expect(await readGasCost(solana, 'wallet', { digits: 100n, scale: 0 }, 6)).toEqual({
    roundTrip: 1_000n,
    accountOpening: 203_928n,
  })
})

test('without a price for the native coin, gas costs nothing', async () => {
  expect(await readGasCost(solana, 'wallet', undefined, 6)).toEqual({ roundTrip: 0n, accountOpening: 0n })
})
