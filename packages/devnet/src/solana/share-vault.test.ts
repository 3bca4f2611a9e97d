import { isSolanaError, SOLANA_ERROR__INSTRUCTION_ERROR__CUSTOM } from '@solana/kit'
import { getBurnInstruction, getMintToInstruction, getTransferInstruction } from '@solana-program/token'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { temporaryFolder } from '../evm/test-chain.ts'
import { type SolanaChain, startSolanaChain } from './start-solana-chain.ts'
import { strategyOf, user } from './test-chain.ts'
import {
  ALL_SHARES,
  accrued,
  depositInstruction,
  fundYieldInstruction,
  initializeInstruction,
  redeemInstruction,
  sharesFor,
  type VaultState,
  valueOfShares,
} from './vault-program.ts'

const UNIT = 1_000_000n
const DAY = 86_400

let chain: SolanaChain
const folder = temporaryFolder()

beforeAll(async () => {
  chain = await startSolanaChain({ dataDir: folder.path, slotMs: 10, heartbeatSeconds: 0 })
})
afterAll(async () => {
  await chain.stop()
  folder.remove()
})

/** A user with tokens and a share account. */
async function lender(symbol: string, amount: bigint) {
  const { token, strategy, at } = strategyOf(chain, symbol)
  const lending = await user(chain)
  await lending.fund(token, amount)
  await lending.send([await lending.createAssociated(strategy.params.shareMint)])
  const me = {
    owner: lending.signer.address,
    tokens: await lending.associated(token.address),
    shares: await lending.associated(strategy.params.shareMint),
  }
  return { ...lending, token, strategy, at, me, state: () => lending.vault(strategy) }
}

/** The error code of the program that refused at preflight. */
async function refusal(work: Promise<unknown>): Promise<number | string> {
  try {
    await work
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined
    if (isSolanaError(cause, SOLANA_ERROR__INSTRUCTION_ERROR__CUSTOM)) return cause.context.code
    return String(cause ?? error)
  }
  return 'accepted'
}

test('a deposit returns with thirty days of interest, to the last unit of the model', async () => {
  const { send, createAssociated, balance, state, token, strategy, at, me, fund } = await lender('USDC', 5_000n * UNIT)
  await fund(token, 1n)
  const before = await state()
  const deposited = await send([
    await createAssociated(strategy.params.shareMint),
    depositInstruction(at, me, 5_000n * UNIT, 1n),
  ])
  const shares = await balance(strategy.params.shareMint)
  expect(deposited.meta.err).toBeNull()
  expect(shares).toBe(sharesFor(before, 5_000n * UNIT, deposited.blockTime ?? 0n))
  expect(await balance(token.address)).toBe(1n)

  const after = await state()
  const { timestamp } = await chain.increaseTime(30 * DAY)
  const value = valueOfShares(after, shares, BigInt(timestamp))
  expect(value - 5_000n * UNIT).toBeGreaterThan(20_547_900n) // 5 % a year: 20.547945 in thirty days
  const redeemed = await send([redeemInstruction(at, me, ALL_SHARES)])
  expect(await balance(token.address)).toBe(1n + valueOfShares(after, shares, redeemed.blockTime ?? 0n))
  expect(await balance(strategy.params.shareMint)).toBe(0n)
})

test('a year yields exactly the rate of the vault, paid from the budget', async () => {
  const { state } = await lender('USDT', UNIT)
  const now = await state()
  const year = accrued(now, now.lastAccrual + 31_536_000n)
  expect(year.totalAssets - now.totalAssets).toBe((now.totalAssets * 45n) / 1_000n)
  expect(now.yieldLeft - year.yieldLeft).toBe(year.totalAssets - now.totalAssets)
})

test('the program and the model agree after any sequence of deposits, redemptions and days', async () => {
  const { rpc, send, balance, state, token, strategy, at, me } = await lender('USDT', 10n ** 15n)
  const step = fc.oneof(
    fc.record({ kind: fc.constant('deposit' as const), amount: fc.bigInt(UNIT, 10n ** 14n) }),
    fc.record({ kind: fc.constant('redeem' as const), part: fc.integer({ min: 1, max: 1_000 }) }),
    fc.record({ kind: fc.constant('wait' as const), seconds: fc.integer({ min: 1, max: 90 * DAY }) }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 8 }), async (steps) => {
      for (const taken of steps) {
        if (taken.kind === 'wait') {
          await chain.increaseTime(taken.seconds)
          continue
        }
        const before = await state()
        const [tokens, shares] = [await balance(token.address), await balance(strategy.params.shareMint)]
        if (taken.kind === 'deposit') {
          const amount = taken.amount < tokens ? taken.amount : tokens
          if (amount < UNIT) continue
          const { blockTime } = await send([depositInstruction(at, me, amount)])
          const given = sharesFor(before, amount, blockTime ?? 0n)
          expect(await balance(strategy.params.shareMint)).toBe(shares + given)
          expect(await state()).toEqual(changed(before, blockTime ?? 0n, amount, given))
        } else {
          const burned = (shares * BigInt(taken.part)) / 1_000n
          if (burned < 2_000n) continue
          const { blockTime } = await send([redeemInstruction(at, me, burned)])
          const paid = valueOfShares(before, burned, blockTime ?? 0n)
          expect(await balance(token.address)).toBe(tokens + paid)
          expect(await state()).toEqual(changed(before, blockTime ?? 0n, -paid, -burned))
        }
        const { totalAssets, yieldLeft, totalShares } = await state()
        const { value } = await rpc.getTokenAccountBalance(at.liquidity).send()
        expect(BigInt(value.amount)).toBe(totalAssets + yieldLeft)
        expect(totalShares).toBeLessThanOrEqual(1_000n * totalAssets)
      }
    }),
    { numRuns: 6 },
  )
})

function changed(before: VaultState, time: bigint, assets: bigint, shares: bigint): VaultState {
  const now = accrued(before, time)
  return { ...now, totalAssets: now.totalAssets + assets, totalShares: now.totalShares + shares }
}

test('a donation to the vault does not move its price, so it cannot round others down', async () => {
  const { send, state, at, me, signer } = await lender('USDC', 1_000n * UNIT)
  const before = await state()
  const gift = { source: me.tokens, destination: at.liquidity, authority: signer, amount: 900n * UNIT }
  await send([getTransferInstruction(gift)])
  expect(await state()).toEqual(before)
})

test('shares that their owner burns directly enrich nobody', async () => {
  const { send, state, at, me, signer, strategy } = await lender('USDC', 1_000n * UNIT)
  await send([depositInstruction(at, me, 1_000n * UNIT)])
  const before = await state()
  await send([
    getBurnInstruction({ account: me.shares, mint: strategy.params.shareMint, authority: signer, amount: 1_000n }),
  ])
  expect(await state()).toEqual(before)
})

test('every refusal of the program has its own code', async () => {
  const { send, at, me, signer } = await lender('USDC', 1_000n * UNIT)
  const other = strategyOf(chain, 'USDT').at
  const stranger = await lender('USDC', 10n * UNIT)
  await send([depositInstruction(at, me, 10n * UNIT)])
  const deposit = depositInstruction(at, me, UNIT)
  const redeem = redeemInstruction(at, me, 1_000n)
  const withAccount = (index: number, replaced: string, instruction = deposit) => ({
    ...instruction,
    accounts: (instruction.accounts ?? []).map((account, place) =>
      place === index ? { ...account, address: replaced as typeof at.vault } : account,
    ),
  })
  const withData = (data: readonly number[]) => ({ ...deposit, data: Uint8Array.from(data) })
  const cases: readonly (readonly [string, number, Parameters<typeof send>[0][number]])[] = [
    ['unknown tag', 100, withData([9, ...new Array(16).fill(0)])],
    ['no data', 100, withData([])],
    ['short data', 100, withData([1, 0, 0])],
    ['too few accounts', 101, { ...deposit, accounts: (deposit.accounts ?? []).slice(0, 7) }],
    ['the same account twice', 102, withAccount(6, me.tokens)],
    [
      'no signature',
      103,
      { ...deposit, accounts: [{ address: stranger.me.owner, role: 0 }, ...(deposit.accounts ?? []).slice(1)] },
    ],
    ['another program', 104, withAccount(7, at.program)],
    ['another vault', 106, withAccount(1, other.vault)],
    ['no vault', 105, withAccount(1, stranger.me.tokens)],
    ['another mint', 106, withAccount(2, other.tokenMint)],
    ['another share mint', 107, withAccount(3, other.shareMint)],
    ['another liquidity account', 108, withAccount(4, other.liquidity)],
    ['own account as liquidity', 108, withAccount(4, stranger.me.tokens)],
    ['tokens instead of shares', 109, withAccount(6, stranger.me.tokens, redeem)],
    ['deposit too small', 112, depositInstruction(at, me, UNIT - 1n)],
    ['redeem of nothing', 113, redeemInstruction(at, me, 0n)],
    ['redeem of less than a unit', 113, redeemInstruction(at, me, 1n)],
    ['fewer shares than asked', 114, depositInstruction(at, me, UNIT, 1_000n * UNIT + 1n)],
    ['less money than asked', 114, redeemInstruction(at, me, 1_000n, 3n)],
    ['more shares than owned', 115, redeemInstruction(at, me, 10n ** 15n)],
    ['funding with nothing', 113, fundYieldInstruction(at, me, 0n)],
    [
      'initialized already',
      110,
      initializeInstruction(at, me.owner, { rateNumerator: 1n, rateDenominator: 1n, minDeposit: 1n }),
    ],
    [
      'no denominator',
      111,
      initializeInstruction(at, me.owner, { rateNumerator: 1n, rateDenominator: 0n, minDeposit: 1n }),
    ],
  ]
  const found = await Promise.all(
    cases.map(async ([name, , instruction]) => [name, await refusal(send([instruction]))] as const),
  )
  expect(found).toEqual(cases.map(([name, code]) => [name, code]))

  // The token program protects users: nobody can burn or take another user's shares or money.
  const theirs = stranger.me
  await stranger.send([depositInstruction(at, theirs, 5n * UNIT)])
  expect(await refusal(send([redeemInstruction(at, { ...me, shares: theirs.shares }, ALL_SHARES)]))).toBe(4)
  expect(await refusal(send([depositInstruction(at, { ...me, tokens: theirs.tokens }, UNIT)]))).toBe(4)
  expect(await refusal(send([depositInstruction(at, me, 5_000n * UNIT)]))).toBe(1)
  // Only the vault can mint its shares.
  const mint = getMintToInstruction({ mint: at.shareMint, token: me.shares, mintAuthority: signer, amount: 1n })
  expect(await refusal(send([mint]))).toBe(4)
})
