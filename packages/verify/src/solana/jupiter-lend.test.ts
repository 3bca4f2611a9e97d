import { describe, expect, test } from 'vitest'
import recorded from '../../../../apps/server/src/venues/jupiter-lend/vendor-instructions.json' with { type: 'json' }
import { type Intent, parseAllowList, verify } from '../index.ts'
import { bitFlips, harmless, solanaBytes, type TestInstruction, u64 } from '../test-bytes.ts'

const BUDGET = 'ComputeBudget111111111111111111111111111111'
const MEMO = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr'

const sample = recorded.samples.find(({ token, amount }) => token === 'USDC' && amount === '123456789')!
const { owner, addresses } = sample
const AMOUNT = 123_456_789n

const venue = {
  name: 'Jupiter Lend USDC',
  protocol: 'jupiter-lend',
  token: 'USDC',
  program: recorded.program,
  liquidityProgram: addresses.liquidityProgram,
  rewardsProgram: 'jup7TthsMgcR9Y3L277b8Eo9uboVSmu1utkuXHNUKar',
  sharesPerUnit: '1',
  lending: addresses.lending,
  shareMint: addresses.fTokenMint,
}
const listOf = (venues: readonly object[]) =>
  parseAllowList({
    version: 1,
    chains: [
      {
        family: 'svm',
        blockchain: 'solana',
        fees: { maxUnits: '1400000', maxCost: '2000000' },
        tokens: [{ symbol: 'USDC', address: addresses.mint, decimals: 6 }],
        venues,
      },
    ],
  })

const ours = ({ program, accounts, data }: typeof sample.deposit): TestInstruction => ({
  program,
  accounts: accounts.map((one) => `${one.signer ? 's' : ''}${one.writable ? 'w' : ''}:${one.address}`),
  data: Buffer.from(data, 'base64'),
})
const limit = { program: BUDGET, accounts: [], data: Buffer.from([2, 0x60, 0xea, 0, 0]) }
const memo = { program: MEMO, accounts: [], data: Buffer.from('weir:77') }
const bytes = (...inner: TestInstruction[]) => solanaBytes(owner, [limit, ...inner, memo])
const intent: Intent = {
  blockchain: 'solana',
  type: 'SUPPLY',
  signer: owner,
  token: 'USDC',
  amount: '123.456789',
  transactionId: 77,
}
const unwind: Intent = { ...intent, type: 'UNWIND' }
const judge = (text: string, what: Intent) => verify(text, what, listOf([venue]))

describe('Jupiter Lend, with the instructions of its own SDK', () => {
  test('a deposit, a withdrawal of the amount and a redemption of everything are recognized', async () => {
    expect(await judge(bytes(ours(sample.deposit)), intent)).toMatchObject({
      ok: true,
      meaning: { does: 'supply', amount: AMOUNT, venue: 'Jupiter Lend USDC' },
    })
    expect(await judge(bytes(ours(sample.withdraw)), unwind)).toMatchObject({
      ok: true,
      meaning: { does: 'withdraw', amount: AMOUNT, shares: null },
    })
    expect(await judge(bytes(ours(sample.redeem)), { ...unwind, full: true })).toMatchObject({
      ok: true,
      meaning: { does: 'withdraw', amount: null, shares: AMOUNT },
    })
  })

  test('a redemption of everything that does not count its shares is refused', async () => {
    const { data, ...rest } = ours(sample.redeem)
    const everything = { ...rest, data: Buffer.from([...data.subarray(0, 8), ...u64(0xffff_ffff_ffff_ffffn)]) }
    expect(await judge(bytes(everything), { ...unwind, full: true })).toMatchObject({ code: 'WRONG_AMOUNT' })
  })

  test.each([
    ['a redemption instead of the approved amount', sample.redeem, unwind, 'WRONG_AMOUNT'],
    ['a deposit of a withdrawal', sample.deposit, unwind, 'WRONG_STEP'],
    ['a withdrawal of a deposit', sample.withdraw, intent, 'WRONG_STEP'],
    ['another amount than approved', sample.deposit, { ...intent, amount: '123.456788' }, 'WRONG_AMOUNT'],
    ['another withdrawal than approved', sample.withdraw, { ...unwind, amount: '123.456790' }, 'WRONG_AMOUNT'],
  ] as const)('%s is refused', async (_what, instruction, what, code) => {
    expect(await judge(bytes(ours(instruction)), what)).toMatchObject({ ok: false, code })
  })

  test('any other account in any place is refused', async () => {
    for (const [instruction, what] of [
      [sample.deposit, intent],
      [sample.withdraw, unwind],
    ] as const) {
      const good = ours(instruction)
      for (const at of good.accounts.keys()) {
        if (at === 0) continue
        const other = recorded.samples.find(({ token }) => token === 'USDT')!.addresses.fTokenMint
        const accounts = good.accounts.with(at, `${good.accounts[at]!.split(':')[0]}:${other}`)
        expect(await judge(bytes({ ...good, accounts }), what), `account ${at}`).toMatchObject({ ok: false })
      }
    }
  })

  test('another instruction of the program, and one with other data, are refused', async () => {
    const good = ours(sample.deposit)
    const mint = { ...good, data: Buffer.from([51, 57, 225, 47, 182, 146, 137, 166, ...u64(AMOUNT)]) }
    expect(await judge(bytes(mint), intent)).toMatchObject({ ok: false, code: 'UNKNOWN_METHOD' })
    const longer = { ...good, data: Buffer.concat([good.data, Buffer.from([0])]) }
    expect(await judge(bytes(longer), intent)).toMatchObject({ ok: false, code: 'UNKNOWN_METHOD' })
    expect(await judge(bytes(good, good), intent)).toMatchObject({ ok: false, code: 'SOMETHING_ELSE' })
  })

  test('changed in any one byte, it is refused or keeps its meaning', async () => {
    const text = bytes(ours(sample.deposit))
    const verdict = await judge(text, intent)
    for (const changed of bitFlips(Buffer.from(text, 'base64'))) {
      const mutated = Buffer.from(changed).toString('base64')
      expect(harmless(await judge(mutated, intent), verdict), mutated).toBe(true)
    }
  })

  test('a list that names another market, or none, refuses it', async () => {
    const elsewhere = { ...venue, lending: recorded.samples.find(({ token }) => token === 'USDT')!.addresses.lending }
    for (const venues of [[elsewhere], []])
      expect(await verify(bytes(ours(sample.deposit)), intent, listOf(venues))).toMatchObject({
        ok: false,
        code: 'UNKNOWN_VENUE',
      })
  })
})
