import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import sandbox from '../../../packages/verify/src/lists/sandbox.json' with { type: 'json' }
import type { SvmInstruction } from '../../server/src/chains/index.ts'
import { createAssociatedTokenIdempotent } from '../../server/src/chains/index.ts'
import { deposit, redeem, withdraw } from '../../server/src/venues/jupiter-lend/instructions.ts'
import { marketAddresses } from '../../server/src/venues/jupiter-lend/program.ts'
import { ANCHOR, decodeInstruction } from '../src/lib/transactions/decode-solana.ts'

const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
const OWNER = 'So11111111111111111111111111111111111111112'
const TOKENS = 'Vote111111111111111111111111111111111111111'
const SHARES = 'Stake11111111111111111111111111111111111111'
const KAMINO = 'KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD'

const decoded = ({ program, accounts, data }: SvmInstruction) =>
  decodeInstruction({ contract: program, accounts, data })
const account = (address: string) => ({ address, signer: false, writable: false })
const u64 = (value: bigint) => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(value)
  return bytes
}
const instruction = (program: string, accounts: number, ...data: readonly Buffer[]): SvmInstruction => ({
  program,
  accounts: Array.from({ length: accounts }, () => account(OWNER)),
  data: Buffer.concat(data).toString('base64'),
})
const tag = (name: keyof typeof ANCHOR) => Buffer.from(ANCHOR[name], 'hex')

test('the tags are the hashes that the programs use', () => {
  for (const [name, hex] of Object.entries(ANCHOR))
    expect(createHash('sha256').update(`global:${name}`).digest('hex').slice(0, 16), name).toBe(hex)
})

test("Jupiter Lend's accounts have their roles, in both orders", async () => {
  const market = await marketAddresses(USDC)
  const accounts = { market, owner: OWNER, tokenAccount: TOKENS, shareAccount: SHARES }
  const roles = {
    owner: OWNER,
    'token account': TOKENS,
    'share account': SHARES,
    'token mint': USDC,
    'lending admin': market.lendingAdmin,
    lending: market.lending,
    'share mint': market.shareMint,
    'token reserve': market.reserve,
    'supply position': market.position,
    'rate model': market.rateModel,
    vault: market.vault,
    liquidity: market.liquidity,
    'liquidity program': market.liquidityProgram,
    'rewards rate model': market.rewardsRateModel,
  }
  for (const [made, name, argument] of [
    [deposit(accounts, 5n), 'deposit', 'amount'],
    [withdraw(accounts, 5n), 'withdraw', 'amount'],
    [redeem(accounts, 5n), 'redeem', 'shares'],
  ] as const) {
    const { program, name: found, args, accounts } = decoded(made)
    expect({ program, name: found, args }).toEqual({
      program: 'Jupiter Lend',
      name,
      args: [{ name: argument, value: '5', kind: argument === 'amount' ? 'amount' : 'other' }],
    })
    for (const [role, address] of Object.entries(roles))
      expect(accounts.find((each) => each.role === role)?.address, `${name}, ${role}`).toBe(address)
    expect(accounts.every(({ role }) => role !== undefined)).toBe(true)
  }
})

test('the opening of a token account names the wallet that pays and owns it', () => {
  const made = decoded(createAssociatedTokenIdempotent(OWNER, OWNER, USDC, TOKENS))
  expect(made).toMatchObject({ program: 'Associated token accounts', name: 'open the token account if it is missing' })
  expect(made.accounts.map(({ role, signer }) => [role, signer]).slice(0, 3)).toEqual([
    ['payer', true],
    ['token account', false],
    ['owner', false],
  ])
})

test("Kamino's and the sandbox's instructions say their amounts; all shares are everything", () => {
  expect(decoded(instruction(KAMINO, 12, tag('deposit_reserve_liquidity'), u64(7n)))).toMatchObject({
    program: 'Kamino Lend',
    name: 'deposit_reserve_liquidity',
    args: [{ name: 'amount', value: '7', kind: 'amount' }],
  })
  expect(decoded(instruction(KAMINO, 6, tag('refresh_reserve')))).toMatchObject({ name: 'refresh_reserve', args: [] })
  const chains = JSON.stringify(sandbox)
  const [, vault = ''] =
    /"protocol":"share-vault"[^}]*?"program":"(\w+)"|"program":"(\w+)"/.exec(chains)?.filter(Boolean) ?? []
  expect(decoded(instruction(vault, 8, Buffer.from([1]), u64(7n), u64(6n)))).toMatchObject({
    program: 'Share vault of the sandbox',
    name: 'deposit',
    args: [
      { name: 'amount', value: '7', kind: 'amount' },
      { name: 'least shares', value: '6', kind: 'other' },
    ],
  })
  expect(decoded(instruction(vault, 8, Buffer.from([2]), u64(2n ** 64n - 1n), u64(0n))).args).toMatchObject([
    { name: 'shares', kind: 'everything' },
    { name: 'least amount', value: '0', kind: 'amount' },
  ])
})

test('other programs, other data and other numbers of accounts are unknown, with their accounts', () => {
  const known = [tag('deposit_reserve_liquidity'), u64(7n)]
  for (const made of [
    instruction('Unknown1111111111111111111111111111111111111', 12, ...known),
    instruction(KAMINO, 11, ...known),
    instruction(KAMINO, 12, ...known, Buffer.from([0])),
    instruction(KAMINO, 12, u64(1n), u64(7n)),
  ]) {
    const { name, args, accounts } = decoded(made)
    expect({ name, args }).toEqual({ name: undefined, args: [] })
    expect(accounts).toHaveLength(made.accounts.length)
  }
})
