import { isSolanaError, SOLANA_ERROR__INSTRUCTION_ERROR__CUSTOM } from '@solana/kit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { temporaryFolder } from '../evm/test-chain.ts'
import { type SolanaChain, startSolanaChain } from './start-solana-chain.ts'
import { strategyOf, user } from './test-chain.ts'
import { ALL_SHARES, depositInstruction, governInstruction, redeemInstruction, valueOfShares } from './vault-program.ts'

const UNIT = 1_000_000n
const KEY = 'share-vault:solana:USDC'
const PAUSED = 118
const CAP_EXCEEDED = 119
const WRONG_GOVERNOR = 120
/** The token program's own error. */
const INSUFFICIENT_FUNDS = 1

const folder = temporaryFolder()
let chain: SolanaChain
let me: Awaited<ReturnType<typeof depositor>>

beforeAll(async () => {
  chain = await startSolanaChain({ dataDir: folder.path, slotMs: 10, heartbeatSeconds: 0 })
  me = await depositor()
})
afterAll(async () => {
  await chain?.stop()
  folder.remove()
})

/** A user with a thousand tokens in the vault and nine thousand outside. */
async function depositor() {
  const { token, strategy, at } = strategyOf(chain, 'USDC')
  const lending = await user(chain)
  await lending.fund(token, 10_000n * UNIT)
  const owner = lending.signer.address
  const tokens = await lending.associated(token.address)
  const shares = await lending.associated(strategy.params.shareMint)
  const account = { owner, tokens, shares }
  await lending.send([await lending.createAssociated(strategy.params.shareMint)])
  const deposit = (amount: bigint) => lending.send([depositInstruction(at, account, amount)])
  const redeem = (held: bigint) => lending.send([redeemInstruction(at, account, held)])
  await deposit(1_000n * UNIT)
  return { ...lending, at, account, strategy, deposit, redeem }
}

const state = () => chain.strategyState(KEY)
const worth = async () => {
  const vault = await me.vault(me.strategy)
  return valueOfShares(vault, await me.balance(me.strategy.params.shareMint), vault.lastAccrual)
}

/** The error code of the program that refused at preflight. */
async function refusal(work: Promise<unknown>): Promise<number | string> {
  try {
    await work
    return 'accepted'
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined
    return isSolanaError(cause, SOLANA_ERROR__INSTRUCTION_ERROR__CUSTOM) ? cause.context.code : String(error)
  }
}

test('a redemption fails while its liquidity is away, and pays as much as returned', async () => {
  expect((await chain.setStrategyState(KEY, { liquidity: 'leave' })).liquidity).toBe(0n)
  expect(await refusal(me.redeem(ALL_SHARES))).toBe(INSUFFICIENT_FUNDS)
  expect((await chain.setStrategyState(KEY, { liquidity: 'return', amount: 40n * UNIT })).liquidity).toBe(40n * UNIT)
  const held = await me.balance(me.strategy.params.shareMint)
  await me.redeem(held / 50n)
  expect(await refusal(me.redeem(held / 2n))).toBe(INSUFFICIENT_FUNDS)
  const back = await chain.setStrategyState(KEY, { liquidity: 'return' })
  expect(back.liquidity).toBe(back.totalAssets)
  const partly = await chain.setStrategyState(KEY, { liquidity: 'leave', amount: 500_000n * UNIT })
  expect(partly.totalAssets - partly.liquidity).toBe(500_000n * UNIT)
  await chain.setStrategyState(KEY, { liquidity: 'return' })
  await me.redeem(held / 2n)
})

test('a cap refuses deposits that exceed it, and a pause everything', async () => {
  await me.deposit(100n * UNIT)
  expect((await chain.setStrategyState(KEY, { depositCap: 0n })).depositCap).toBe(0n)
  expect(await refusal(me.deposit(10n * UNIT))).toBe(CAP_EXCEEDED)
  const cap = (await state()).totalAssets + 20n * UNIT
  expect((await chain.setStrategyState(KEY, { depositCap: cap })).depositCap).toBe(cap)
  await me.deposit(10n * UNIT)
  expect(await refusal(me.deposit(11n * UNIT))).toBe(CAP_EXCEEDED)
  expect((await chain.setStrategyState(KEY, { depositCap: null })).depositCap).toBeNull()

  expect((await chain.setStrategyState(KEY, { paused: true })).paused).toBe(true)
  expect(await refusal(me.deposit(10n * UNIT))).toBe(PAUSED)
  expect(await refusal(me.redeem(1_000n))).toBe(PAUSED)
  await chain.setStrategyState(KEY, { paused: false })
  await me.deposit(10n * UNIT)
})

test('a loss lowers what shares are worth until it is made good', async () => {
  const before = await worth()
  await chain.setStrategyState(KEY, { lossBasisPoints: 300 })
  const after = await worth()
  expect(before - after).toBeGreaterThanOrEqual((before * 299n) / 10_000n)
  expect(before - after).toBeLessThanOrEqual((before * 301n) / 10_000n)
  await chain.setStrategyState(KEY, { lossBasisPoints: 0 })
  expect(await worth()).toBeGreaterThanOrEqual(before - 1n)
})

test('a fee lowers the rate of the shares, and its end restores it', async () => {
  expect((await chain.setStrategyState(KEY, { feeBasisPoints: 1_000 })).feeBasisPoints).toBe(1_000)
  expect((await me.vault(me.strategy)).rateNumerator).toBe(450n)
  expect((await chain.setStrategyState(KEY, { feeBasisPoints: 0 })).feeBasisPoints).toBe(0)
  expect((await me.vault(me.strategy)).rateNumerator).toBe(500n)
})

test('only the treasury governs, and what has no such state is refused', async () => {
  for (const kind of ['paused', 'cap', 'rateNumerator', 'loss', 'lend'] as const) {
    expect(await refusal(me.send([governInstruction(me.at, me.account, kind, 1n)]))).toBe(WRONG_GOVERNOR)
  }
  await expect(chain.setStrategyState(KEY, { frozen: true })).rejects.toThrow('no state frozen')
  await expect(chain.strategyState('share-vault:solana:EURC')).rejects.toThrow('never changes')
  for (const depositCap of [2n ** 48n - 1n, 2n ** 64n + 5n]) {
    await expect(chain.setStrategyState(KEY, { depositCap })).rejects.toMatchObject({ name: 'VenueRefused' })
  }
})
