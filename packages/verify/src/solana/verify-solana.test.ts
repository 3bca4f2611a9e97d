import { getAddressEncoder } from '@solana/addresses'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import recorded from '../../../../apps/server/src/venues/kamino/vendor-instructions.json' with { type: 'json' }
import type { ShareVaultVenue, SolanaRules } from '../allow-list.ts'
import { type Intent, parseAllowList, sandboxAllowList, verify } from '../index.ts'
import { bitFlips, derivedFrom, harmless, solanaBytes, type TestInstruction, u64 } from '../test-bytes.ts'

const SYSTEM = '11111111111111111111111111111111'
const TOKENS = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
const ASSOCIATED = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL'
const BUDGET = 'ComputeBudget111111111111111111111111111111'
const MEMO = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr'
const me = '4Mty4mGw6W5hx8KDWdTu7qDeVXsWTHmfk1a5mP4sVdMm'
const stranger = '6dcqcHgmwH1ymMXTu6bm1J548cFoGs3nAYFGKanoYdcz'
const AMOUNT = 250_750_000n

const rules = sandboxAllowList.chains.find((chain) => chain.family === 'svm') as SolanaRules
const venue = rules.venues[0] as ShareVaultVenue
const usdc = rules.tokens[0]!.address

const supplying: Intent = {
  blockchain: 'solana',
  type: 'SUPPLY',
  signer: me,
  token: 'USDC',
  amount: '250.75',
  transactionId: 77,
}
const unwinding: Intent = { ...supplying, type: 'UNWIND' }
const everything: Intent = { ...unwinding, full: true }

const bytesOf = (address: string) => Uint8Array.from(getAddressEncoder().encode(address as never))
const accountOf = (owner: string, mint: string) =>
  derivedFrom(ASSOCIATED, [bytesOf(owner), bytesOf(TOKENS), bytesOf(mint)])

const limit = (units: number): TestInstruction => {
  const data = Buffer.alloc(5, 2)
  data.writeUInt32LE(units, 1)
  return { program: BUDGET, accounts: [], data }
}
const price = (perUnit: bigint): TestInstruction => ({
  program: BUDGET,
  accounts: [],
  data: Uint8Array.from([3, ...u64(perUnit)]),
})
const memo = (text: string): TestInstruction => ({ program: MEMO, accounts: [], data: Buffer.from(text) })
const open = async (payer: string, owner: string, mint: string): Promise<TestInstruction> => ({
  program: ASSOCIATED,
  accounts: [`sw:${payer}`, `w:${await accountOf(owner, mint)}`, owner, mint, SYSTEM, TOKENS],
  data: Uint8Array.from([1]),
})
async function venueStep(tag: number, first: bigint, second: bigint, to = me): Promise<TestInstruction> {
  const [tokens, shares] = [await accountOf(to, usdc), await accountOf(to, venue.shareMint)]
  const accounts = [`s:${me}`, `w:${venue.vault}`, usdc, `w:${venue.shareMint}`, `w:${venue.liquidity}`]
  return {
    program: venue.program,
    accounts: [...accounts, `w:${tokens}`, `w:${shares}`, TOKENS],
    data: Uint8Array.from([tag, ...u64(first), ...u64(second)]),
  }
}
const whole = (...inner: TestInstruction[]) =>
  solanaBytes(me, [limit(60_000), price(1_000n), ...inner, memo('weir:77')])
const check = (bytes: string, intent: Intent) => verify(bytes, intent, sandboxAllowList)

const SHARES = 240_000_000_000n
let good: Readonly<Record<string, { intent: Intent; bytes: string }>>
beforeAll(async () => {
  good = {
    deposit: {
      intent: supplying,
      bytes: whole(await open(me, me, venue.shareMint), await venueStep(1, AMOUNT, SHARES)),
    },
    withdrawal: { intent: unwinding, bytes: whole(await open(me, me, usdc), await venueStep(2, SHARES, AMOUNT)) },
    everything: {
      intent: everything,
      bytes: whole(await open(me, me, usdc), await venueStep(2, 0xffff_ffff_ffff_ffffn, 0n)),
    },
  }
})

describe.each(['deposit', 'withdrawal', 'everything'])('a %s of a share vault', (name) => {
  test('is recognized', async () => {
    const { bytes, intent } = good[name]!
    const does = name === 'deposit' ? 'supply' : 'withdraw'
    const amount = name === 'everything' ? null : AMOUNT
    const meaning = { does, amount, signer: me, token: usdc, venue: 'Share Vault USDC' }
    expect(await check(bytes, intent)).toMatchObject({ ok: true, meaning, envelope: { maxCost: 5_060n } })
  })

  test('changed in any one byte, is refused or keeps its meaning', async () => {
    const { bytes, intent } = good[name]!
    const verdict = await check(bytes, intent)
    for (const changed of bitFlips(Buffer.from(bytes, 'base64'))) {
      const text = Buffer.from(changed).toString('base64')
      expect(harmless(await check(text, intent), verdict), text).toBe(true)
    }
  })

  test('cut, lengthened or spliced, is refused or keeps its meaning', async () => {
    const { bytes, intent } = good[name]!
    const verdict = await check(bytes, intent)
    const raw = Buffer.from(bytes, 'base64')
    await fc.assert(
      fc.asyncProperty(fc.nat(raw.length), fc.nat(20), fc.uint8Array({ maxLength: 20 }), async (at, cut, piece) => {
        const spliced = Buffer.concat([raw.subarray(0, at), piece, raw.subarray(at + cut)])
        return harmless(await check(spliced.toString('base64'), intent), verdict)
      }),
    )
  })
})

test('a budget without a price, and an existing token account, are accepted', async () => {
  const bytes = solanaBytes(me, [limit(60_000), await venueStep(1, AMOUNT, SHARES), memo('weir:77')])
  expect(await check(bytes, supplying)).toMatchObject({ ok: true, envelope: { maxCost: 5_000n } })
})

test('a price that costs exactly what the list allows is accepted, and part of a lamport counts as one', async () => {
  const costing = async (perUnit: bigint) =>
    check(solanaBytes(me, [limit(1), price(perUnit), await venueStep(1, AMOUNT, SHARES), memo('weir:77')]), supplying)
  expect(await costing(1_995_000_000_000n)).toMatchObject({ ok: true, envelope: { maxCost: 2_000_000n } })
  expect(await costing(1n)).toMatchObject({ ok: true, envelope: { maxCost: 5_001n } })
})

const HOSTILE: readonly [name: string, code: string, intent: Intent, bytes: () => Promise<string>][] = [
  ['a deposit of more', 'WRONG_AMOUNT', supplying, async () => whole(await venueStep(1, AMOUNT + 1n, SHARES))],
  ['a deposit that may bring nothing', 'WRONG_AMOUNT', supplying, async () => whole(await venueStep(1, AMOUNT, 0n))],
  [
    'a deposit for a stranger',
    'WRONG_BENEFICIARY',
    supplying,
    async () => whole(await venueStep(1, AMOUNT, SHARES, stranger)),
  ],
  ['a deposit in a withdrawal', 'WRONG_STEP', unwinding, async () => whole(await venueStep(1, AMOUNT, SHARES))],
  [
    'a withdrawal to a stranger',
    'WRONG_BENEFICIARY',
    unwinding,
    async () => whole(await venueStep(2, SHARES, AMOUNT, stranger)),
  ],
  [
    'a withdrawal that may bring less',
    'WRONG_AMOUNT',
    unwinding,
    async () => whole(await venueStep(2, SHARES, AMOUNT - 1n)),
  ],
  [
    'a withdrawal of too many shares',
    'WRONG_AMOUNT',
    unwinding,
    async () => whole(await venueStep(2, AMOUNT * 1_000n + 2n, AMOUNT)),
  ],
  [
    'all shares instead of the approved part',
    'WRONG_AMOUNT',
    unwinding,
    async () => whole(await venueStep(2, 0xffff_ffff_ffff_ffffn, AMOUNT)),
  ],
  ['an unknown instruction', 'UNKNOWN_METHOD', supplying, async () => whole(await venueStep(3, AMOUNT, SHARES))],
  [
    "a stranger's account opened",
    'WRONG_BENEFICIARY',
    supplying,
    async () => whole(await open(me, stranger, venue.shareMint), await venueStep(1, AMOUNT, SHARES)),
  ],
  [
    'an account of another token opened',
    'WRONG_BENEFICIARY',
    supplying,
    async () => whole(await open(me, me, rules.tokens[1]!.address), await venueStep(1, AMOUNT, SHARES)),
  ],
  [
    'two venue instructions',
    'SOMETHING_ELSE',
    supplying,
    async () => whole(await venueStep(1, AMOUNT, SHARES), await venueStep(1, AMOUNT, SHARES)),
  ],
  [
    'lamports for a stranger',
    'SOMETHING_ELSE',
    supplying,
    async () =>
      whole(
        { program: SYSTEM, accounts: [`sw:${me}`, `w:${stranger}`], data: Uint8Array.from([2, 0, 0, 0, ...u64(5n)]) },
        await venueStep(1, AMOUNT, SHARES),
      ),
  ],
  ['nothing but a memo', 'SOMETHING_ELSE', supplying, async () => whole()],
  ['no memo', 'WRONG_MEMO', supplying, async () => solanaBytes(me, [limit(1), await venueStep(1, AMOUNT, SHARES)])],
  [
    "another transaction's memo",
    'WRONG_MEMO',
    supplying,
    async () => solanaBytes(me, [limit(1), await venueStep(1, AMOUNT, SHARES), memo('weir:78')]),
  ],
  [
    'no limit of units',
    'SOMETHING_ELSE',
    supplying,
    async () => solanaBytes(me, [price(1n), await venueStep(1, AMOUNT, SHARES), memo('weir:77')]),
  ],
  [
    'a price that drains the wallet',
    'FEE_TOO_HIGH',
    supplying,
    async () =>
      solanaBytes(me, [limit(1_000_000), price(3_000_000n), await venueStep(1, AMOUNT, SHARES), memo('weir:77')]),
  ],
  [
    'a price whose last part of a lamport exceeds the list',
    'FEE_TOO_HIGH',
    supplying,
    async () =>
      solanaBytes(me, [limit(1), price(1_995_000_000_001n), await venueStep(1, AMOUNT, SHARES), memo('weir:77')]),
  ],
  [
    'a memo with an account',
    'WRONG_MEMO',
    supplying,
    async () =>
      solanaBytes(me, [limit(1), await venueStep(1, AMOUNT, SHARES), { ...memo('weir:77'), accounts: [`sw:${me}`] }]),
  ],
  [
    'too many units',
    'FEE_TOO_HIGH',
    supplying,
    async () => solanaBytes(me, [limit(1_400_001), await venueStep(1, AMOUNT, SHARES), memo('weir:77')]),
  ],
  [
    'another payer',
    'SOMETHING_ELSE',
    supplying,
    async () => solanaBytes(stranger, [limit(1), await venueStep(1, AMOUNT, SHARES), memo('weir:77')]),
  ],
  [
    'another wallet',
    'WRONG_SIGNER',
    { ...supplying, signer: stranger },
    async () => whole(await venueStep(1, AMOUNT, SHARES)),
  ],
  [
    'another token',
    'UNKNOWN_VENUE',
    { ...supplying, token: 'USDT' },
    async () => whole(await venueStep(1, AMOUNT, SHARES)),
  ],
  ['no transaction', 'MALFORMED', supplying, async () => 'AAAA'],
]

for (const [name, code, intent, bytes] of HOSTILE) {
  test(`${name} is refused with ${code}`, async () => {
    expect(await check(await bytes(), intent)).toMatchObject({ ok: false, code, reason: expect.any(String) })
  })
}

test('a signed transaction is refused', async () => {
  const raw = Buffer.from(good.deposit!.bytes, 'base64')
  raw.fill(7, 1, 65)
  expect(await check(raw.toString('base64'), supplying)).toMatchObject({ code: 'MALFORMED' })
})

describe('Kamino, with the instructions of its own SDK', () => {
  const { decoded, refresh, samples } = recorded.reserves[0]!
  const { owner, deposit, redeem } = samples.find(({ amount }) => BigInt(amount) > 1_000n)!
  const amount = Buffer.from(deposit.data, 'base64').readBigUInt64LE(8)
  const decimal = `${amount / 1_000_000n}.${String(amount % 1_000_000n).padStart(6, '0')}`
  const list = parseAllowList({
    version: 1,
    chains: [
      {
        family: 'svm',
        blockchain: 'solana',
        fees: { maxUnits: '1400000', maxCost: '2000000' },
        tokens: [{ symbol: 'USDC', address: decoded.liquidityMint, decimals: 6 }],
        venues: [
          {
            name: 'Kamino USDC',
            protocol: 'kamino',
            token: 'USDC',
            program: recorded.program,
            sharesPerUnit: '1',
            reserve: decoded.address,
            lendingMarket: decoded.lendingMarket,
            supplyVault: decoded.supplyVault,
            collateralMint: decoded.collateralMint,
          },
        ],
      },
    ],
  })
  const ours = ({ program, accounts, data }: typeof deposit): TestInstruction => ({
    program,
    accounts: accounts.map((one) => `${one.signer ? 's' : ''}${one.writable ? 'w' : ''}:${one.address}`),
    data: Buffer.from(data, 'base64'),
  })
  const intent: Intent = { ...supplying, signer: owner, amount: decimal }
  const bytes = (...inner: TestInstruction[]) => solanaBytes(owner, [limit(60_000), ...inner, memo('weir:77')])
  const judge = (text: string, what: Intent) => verify(text, what, list)

  test('a deposit and a redemption are recognized', async () => {
    expect(await judge(bytes(ours(refresh), ours(deposit)), intent)).toMatchObject({
      ok: true,
      meaning: { does: 'supply', amount, venue: 'Kamino USDC' },
    })
    const unwind = { ...intent, type: 'UNWIND' } as const
    expect(await judge(bytes(ours(refresh), ours(redeem)), unwind)).toMatchObject({
      ok: true,
      meaning: { does: 'withdraw', amount, shares: amount },
    })
  })

  test('a redemption of everything that does not count its shares is refused', async () => {
    const { data, ...rest } = ours(redeem)
    const everything = { ...rest, data: Buffer.from([...data.subarray(0, 8), ...u64(0xffff_ffff_ffff_ffffn)]) }
    const whole = { ...intent, type: 'UNWIND', full: true } as const
    expect(await judge(bytes(ours(refresh), ours(redeem)), whole)).toMatchObject({ ok: true })
    expect(await judge(bytes(ours(refresh), everything), whole)).toMatchObject({ code: 'WRONG_AMOUNT' })
  })

  test('changed in any one byte, they are refused or keep their meaning', async () => {
    const text = bytes(ours(refresh), ours(deposit))
    const verdict = await judge(text, intent)
    for (const changed of bitFlips(Buffer.from(text, 'base64'))) {
      const mutated = Buffer.from(changed).toString('base64')
      expect(harmless(await judge(mutated, intent), verdict), mutated).toBe(true)
    }
  })

  test.each([2, 3, 4, 5])('a refresh that names the wallet as account %i is refused', async (index) => {
    for (const name of [owner, `w:${owner}`]) {
      const { accounts, ...rest } = ours(refresh)
      const naming = { ...rest, accounts: accounts.with(index, name) }
      expect(await judge(bytes(naming, ours(deposit)), intent)).toMatchObject({ code: 'SOMETHING_ELSE' })
    }
  })

  test('without the refresh, or with another one, they are refused', async () => {
    expect(await judge(bytes(ours(deposit)), intent)).toMatchObject({ code: 'SOMETHING_ELSE' })
    expect(await judge(bytes(ours(deposit), ours(deposit)), intent)).toMatchObject({ code: 'SOMETHING_ELSE' })
    const other = ours(recorded.reserves[2]!.refresh)
    expect(await judge(bytes(other, ours(deposit)), intent)).toMatchObject({ code: 'SOMETHING_ELSE' })
  })
})
