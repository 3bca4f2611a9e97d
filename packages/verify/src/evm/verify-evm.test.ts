import fc from 'fast-check'
import { type Address, encodeFunctionData, erc20Abi, erc4626Abi, type Hex, maxUint256, parseAbi } from 'viem'
import { expect, test } from 'vitest'
import { type AllowList, type Intent, sandboxAllowList, verify } from '../index.ts'
import { evmBytes, harmless, mutations } from '../test-bytes.ts'

const poolAbi = parseAbi([
  'function supply(address asset, uint256 amount, address onBehalfOf, uint16 referralCode)',
  'function withdraw(address asset, uint256 amount, address to)',
  'function borrow(address asset, uint256 amount, uint256 mode, uint16 referralCode, address onBehalfOf)',
])
const exitAbi = parseAbi([
  'function requestRedeem(uint256 shares, address controller, address owner)',
  'function cooldownAssets(uint256 assets)',
  'function cooldownShares(uint256 shares)',
  'function unstake(address receiver)',
])
const cometAbi = parseAbi([
  'function supply(address asset, uint256 amount)',
  'function withdraw(address asset, uint256 amount)',
])
const polygon = sandboxAllowList.chains.find(({ blockchain }) => blockchain === 'polygon')!
const token = (symbol: string) => polygon.tokens.find((one) => one.symbol === symbol)!.address as Address
const venue = (name: string) => {
  const found = polygon.venues.find((one) => one.name === name)
  return (found && 'contract' in found ? found.contract : '') as Address
}
const [usdc, usdt, pool, vault] = [token('USDC'), token('USDT'), venue('Aave V3 USDC'), venue('Yield Vault USDC')]
const me = '0x52908400098527886E0F7030069857D2E4169EE7'
const stranger = '0x8617E340B3D01FA5F11F306F4090FD50E238070D'
const AMOUNT = 1_250_500_000n

const supplying: Intent = {
  blockchain: 'polygon',
  type: 'SUPPLY',
  signer: me,
  token: 'USDC',
  amount: '1250.50',
  transactionId: 12,
}
const unwinding: Intent = { ...supplying, type: 'UNWIND' }
const everything: Intent = { ...unwinding, full: true }

const approve = (spender: Address, amount: bigint) =>
  encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, amount] })
const supply = (asset: Address, amount: bigint, to: Address, referral = 0) =>
  encodeFunctionData({ abi: poolAbi, functionName: 'supply', args: [asset, amount, to, referral] })
const withdraw = (asset: Address, amount: bigint, to: Address) =>
  encodeFunctionData({ abi: poolAbi, functionName: 'withdraw', args: [asset, amount, to] })
const deposit = (amount: bigint, to: Address) =>
  encodeFunctionData({ abi: erc4626Abi, functionName: 'deposit', args: [amount, to] })
const takeOut = (name: 'withdraw' | 'redeem', amount: bigint, to: Address, from: Address) =>
  encodeFunctionData({ abi: erc4626Abi, functionName: name, args: [amount, to, from] })

const GOOD: Readonly<Record<string, { intent: Intent; to: Address; data: Hex; does: string; amount: bigint | null }>> =
  {
    'approval for Aave': { intent: supplying, to: usdc, data: approve(pool, AMOUNT), does: 'approve', amount: AMOUNT },
    'approval for a vault': {
      intent: supplying,
      to: usdc,
      data: approve(vault, AMOUNT),
      does: 'approve',
      amount: AMOUNT,
    },
    'approval of nothing': { intent: supplying, to: usdc, data: approve(pool, 0n), does: 'reset-approval', amount: 0n },
    'deposit with Aave': {
      intent: supplying,
      to: pool,
      data: supply(usdc, AMOUNT, me),
      does: 'supply',
      amount: AMOUNT,
    },
    'deposit in a vault': { intent: supplying, to: vault, data: deposit(AMOUNT, me), does: 'supply', amount: AMOUNT },
    'withdrawal from Aave': {
      intent: unwinding,
      to: pool,
      data: withdraw(usdc, AMOUNT, me),
      does: 'withdraw',
      amount: AMOUNT,
    },
    'withdrawal from a vault': {
      intent: unwinding,
      to: vault,
      data: takeOut('withdraw', AMOUNT, me, me),
      does: 'withdraw',
      amount: AMOUNT,
    },
    'everything from Aave': {
      intent: everything,
      to: pool,
      data: withdraw(usdc, maxUint256, me),
      does: 'withdraw',
      amount: null,
    },
    'deposit with Comet': {
      intent: supplying,
      to: venue('Comet USDC'),
      data: encodeFunctionData({ abi: cometAbi, functionName: 'supply', args: [usdc, AMOUNT] }),
      does: 'supply',
      amount: AMOUNT,
    },
    'withdrawal from Comet': {
      intent: unwinding,
      to: venue('Comet USDC'),
      data: encodeFunctionData({ abi: cometAbi, functionName: 'withdraw', args: [usdc, AMOUNT] }),
      does: 'withdraw',
      amount: AMOUNT,
    },
    'everything from Comet': {
      intent: everything,
      to: venue('Comet USDC'),
      data: encodeFunctionData({ abi: cometAbi, functionName: 'withdraw', args: [usdc, maxUint256] }),
      does: 'withdraw',
      amount: null,
    },
    'part of a cooldown': {
      intent: unwinding,
      to: venue('Cooldown USDC'),
      data: encodeFunctionData({ abi: exitAbi, functionName: 'cooldownAssets', args: [AMOUNT] }),
      does: 'withdraw',
      amount: AMOUNT,
    },
    'cooldown of everything': {
      intent: everything,
      to: venue('Cooldown USDC'),
      data: encodeFunctionData({ abi: exitAbi, functionName: 'cooldownShares', args: [9n ** 20n] }),
      does: 'withdraw',
      amount: null,
    },
    'claim after a cooldown': {
      intent: everything,
      to: venue('Cooldown USDC'),
      data: encodeFunctionData({ abi: exitAbi, functionName: 'unstake', args: [me] }),
      does: 'withdraw',
      amount: null,
    },
    'request of everything': {
      intent: everything,
      to: venue('Queued USDC'),
      data: encodeFunctionData({ abi: exitAbi, functionName: 'requestRedeem', args: [9n ** 20n, me, me] }),
      does: 'withdraw',
      amount: null,
    },
    'claim of a request': {
      intent: unwinding,
      to: venue('Queued USDC'),
      data: takeOut('withdraw', AMOUNT, me, me),
      does: 'withdraw',
      amount: AMOUNT,
    },
    'everything from a vault': {
      intent: everything,
      to: vault,
      data: takeOut('redeem', 9n ** 20n, me, me),
      does: 'withdraw',
      amount: null,
    },
  }

for (const [name, { intent, to, data, does, amount }] of Object.entries(GOOD)) {
  test(`${name} is recognized, with any nonce and fees within the caps`, async () => {
    const verdict = await verify(evmBytes({ to, data }), intent, sandboxAllowList)
    expect(verdict).toMatchObject({ ok: true, meaning: { does, amount, signer: me, token: usdc } })
    expect(verdict).toMatchObject({ envelope: { family: 'evm', nonce: 7, maxCost: 12_000_000_000_000_000n } })
  })

  test(`${name}, changed in any one byte, is refused or keeps its meaning`, async () => {
    const bytes = evmBytes({ to, data })
    const good = await verify(bytes, intent, sandboxAllowList)
    for (const changed of mutations(Buffer.from(bytes.slice(2), 'hex'), [0x01, 0x10, 0x80, 0xff])) {
      const text = `0x${Buffer.from(changed).toString('hex')}`
      expect(harmless(await verify(text, intent, sandboxAllowList), good), text).toBe(true)
    }
  })

  test(`${name}, cut, lengthened or spliced, is refused or keeps its meaning`, async () => {
    const bytes = evmBytes({ to, data })
    const good = await verify(bytes, intent, sandboxAllowList)
    const pieces = fc.uint8Array({ maxLength: 40 })
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length / 2), fc.nat(40), pieces, async (at, cut, piece) => {
        const whole = Buffer.from(bytes.slice(2), 'hex')
        const spliced = Buffer.concat([whole.subarray(0, at), piece, whole.subarray(at + cut)])
        return harmless(await verify(`0x${spliced.toString('hex')}`, intent, sandboxAllowList), good)
      }),
    )
  })
}

const HOSTILE: readonly [name: string, code: string, intent: Intent, bytes: string][] = [
  ['an unlimited approval', 'WRONG_AMOUNT', supplying, evmBytes({ to: usdc, data: approve(pool, maxUint256) })],
  ['an approval for a stranger', 'UNKNOWN_VENUE', supplying, evmBytes({ to: usdc, data: approve(stranger, AMOUNT) })],
  ['an approval of another token', 'UNKNOWN_VENUE', supplying, evmBytes({ to: usdt, data: approve(pool, AMOUNT) })],
  [
    "an approval for another token's vault",
    'UNKNOWN_VENUE',
    supplying,
    evmBytes({ to: usdc, data: approve(venue('Yield Vault USDT'), AMOUNT) }),
  ],
  ['an approval in an unwind', 'WRONG_STEP', unwinding, evmBytes({ to: usdc, data: approve(pool, AMOUNT) })],
  [
    'a transfer of the token',
    'UNKNOWN_METHOD',
    supplying,
    evmBytes({ to: usdc, data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [pool, AMOUNT] }) }),
  ],
  ['an approval of the shares', 'UNKNOWN_METHOD', supplying, evmBytes({ to: vault, data: approve(pool, AMOUNT) })],
  [
    'a deposit for a stranger',
    'WRONG_BENEFICIARY',
    supplying,
    evmBytes({ to: pool, data: supply(usdc, AMOUNT, stranger) }),
  ],
  [
    'a deposit in a vault for a stranger',
    'WRONG_BENEFICIARY',
    supplying,
    evmBytes({ to: vault, data: deposit(AMOUNT, stranger) }),
  ],
  ['a deposit of more', 'WRONG_AMOUNT', supplying, evmBytes({ to: pool, data: supply(usdc, AMOUNT + 1n, me) })],
  ['a deposit of less', 'WRONG_AMOUNT', supplying, evmBytes({ to: vault, data: deposit(AMOUNT - 1n, me) })],
  ['a deposit of another token', 'UNKNOWN_TOKEN', supplying, evmBytes({ to: pool, data: supply(usdt, AMOUNT, me) })],
  ['a deposit with a referral', 'SOMETHING_ELSE', supplying, evmBytes({ to: pool, data: supply(usdc, AMOUNT, me, 3) })],
  ['a deposit in a withdrawal', 'WRONG_STEP', unwinding, evmBytes({ to: pool, data: supply(usdc, AMOUNT, me) })],
  ['a withdrawal in a deposit', 'WRONG_STEP', supplying, evmBytes({ to: pool, data: withdraw(usdc, AMOUNT, me) })],
  [
    'a withdrawal to a stranger',
    'WRONG_BENEFICIARY',
    unwinding,
    evmBytes({ to: pool, data: withdraw(usdc, AMOUNT, stranger) }),
  ],
  [
    'a full withdrawal to a stranger',
    'WRONG_BENEFICIARY',
    everything,
    evmBytes({ to: vault, data: takeOut('redeem', 5n, stranger, me) }),
  ],
  [
    "a withdrawal of a stranger's shares",
    'WRONG_BENEFICIARY',
    unwinding,
    evmBytes({ to: vault, data: takeOut('withdraw', AMOUNT, me, stranger) }),
  ],
  [
    'everything instead of the approved part',
    'WRONG_AMOUNT',
    unwinding,
    evmBytes({ to: pool, data: withdraw(usdc, maxUint256, me) }),
  ],
  [
    'shares instead of the approved amount',
    'WRONG_AMOUNT',
    unwinding,
    evmBytes({ to: vault, data: takeOut('redeem', AMOUNT, me, me) }),
  ],
  [
    'a loan',
    'UNKNOWN_METHOD',
    supplying,
    evmBytes({
      to: pool,
      data: encodeFunctionData({ abi: poolAbi, functionName: 'borrow', args: [usdc, AMOUNT, 2n, 0, me] }),
    }),
  ],
  ['a call of an unlisted contract', 'UNKNOWN_VENUE', supplying, evmBytes({ to: stranger, data: deposit(AMOUNT, me) })],
  ['native coins', 'NATIVE_VALUE', supplying, evmBytes({ to: pool, data: supply(usdc, AMOUNT, me), value: 1n })],
  ['a contract creation', 'UNKNOWN_METHOD', supplying, evmBytes({ to: null, data: '0x6000' })],
  ['another chain', 'WRONG_CHAIN', supplying, evmBytes({ to: pool, data: supply(usdc, AMOUNT, me), chainId: 137 })],
  [
    'an excessive gas limit',
    'FEE_TOO_HIGH',
    supplying,
    evmBytes({ to: pool, data: supply(usdc, AMOUNT, me), gas: 2_000_001n }),
  ],
  [
    'a fee that drains the wallet',
    'FEE_TOO_HIGH',
    supplying,
    evmBytes({ to: pool, data: supply(usdc, AMOUNT, me), maxFeePerGas: 10_000_000_000_001n }),
  ],
  [
    'a tip that drains the wallet',
    'FEE_TOO_HIGH',
    supplying,
    evmBytes({
      to: pool,
      data: supply(usdc, AMOUNT, me),
      maxFeePerGas: 3_000_000_000_000n,
      maxPriorityFeePerGas: 2_000_000_000_001n,
    }),
  ],
  [
    'an access list',
    'SOMETHING_ELSE',
    supplying,
    evmBytes({ to: pool, data: supply(usdc, AMOUNT, me), accessList: [{ address: usdc, storageKeys: [] }] }),
  ],
  ['bytes after the arguments', 'MALFORMED', supplying, evmBytes({ to: pool, data: `${supply(usdc, AMOUNT, me)}00` })],
  [
    'dirty bits before an address',
    'MALFORMED',
    supplying,
    evmBytes({
      to: vault,
      data: deposit(AMOUNT, me).replace('000000000000000000000000529', '000000000000000000000001529') as Hex,
    }),
  ],
  [
    'bytes after the transaction',
    'MALFORMED',
    supplying,
    `${evmBytes({ to: pool, data: supply(usdc, AMOUNT, me) })}00`,
  ],
  ['a legacy transaction', 'MALFORMED', supplying, `0xf8${'00'.repeat(80)}`],
  ['no transaction', 'MALFORMED', supplying, 'hello'],
  [
    'a step that differs from its label',
    'WRONG_STEP',
    { ...supplying, step: 'APPROVE_TOKEN' },
    evmBytes({ to: pool, data: supply(usdc, AMOUNT, me) }),
  ],
  [
    'a step that only the prototype of objects knows',
    'WRONG_STEP',
    { ...supplying, step: 'constructor' },
    evmBytes({ to: pool, data: supply(usdc, AMOUNT, me) }),
  ],
  [
    'an unknown step',
    'WRONG_STEP',
    { ...supplying, step: 'SWAP' },
    evmBytes({ to: pool, data: supply(usdc, AMOUNT, me) }),
  ],
  [
    'a venue that differs from the operation’s first one',
    'UNKNOWN_VENUE',
    { ...supplying, venue: 'Yield Vault USDC' },
    evmBytes({ to: pool, data: supply(usdc, AMOUNT, me) }),
  ],
  [
    'a protocol that differs from its label',
    'UNKNOWN_VENUE',
    { ...supplying, protocol: 'erc4626' },
    evmBytes({ to: pool, data: supply(usdc, AMOUNT, me) }),
  ],
  [
    'an unknown token',
    'UNKNOWN_TOKEN',
    { ...supplying, token: 'DAI' },
    evmBytes({ to: pool, data: supply(usdc, AMOUNT, me) }),
  ],
  ['an unknown chain', 'UNKNOWN_CHAIN', { ...supplying, blockchain: 'arbitrum' }, evmBytes({})],
  ['an amount finer than the token', 'WRONG_AMOUNT', { ...supplying, amount: '0.0000001' }, evmBytes({})],
  ['an amount of nothing', 'WRONG_AMOUNT', { ...supplying, amount: '0.00' }, evmBytes({})],
]

for (const [name, code, intent, bytes] of HOSTILE) {
  test(`${name} is refused with ${code}`, async () => {
    expect(await verify(bytes, intent, sandboxAllowList)).toMatchObject({ ok: false, code, reason: expect.any(String) })
  })
}

test('a signed transaction is refused, because verifying it comes too late', async () => {
  const signature = { r: `0x${'1'.repeat(64)}`, s: `0x${'2'.repeat(64)}`, yParity: 0 } as const
  const bytes = evmBytes({ to: pool, data: supply(usdc, AMOUNT, me), ...signature })
  expect(await verify(bytes, supplying, sandboxAllowList)).toMatchObject({ code: 'MALFORMED' })
})

test('a token’s limit per transaction applies, and is inclusive', async () => {
  const limited = (maxAmount: bigint): AllowList => ({
    chains: sandboxAllowList.chains.map((chain) => ({
      ...chain,
      tokens: chain.tokens.map((one) => ({ ...one, maxAmount })),
    })),
  })
  const bytes = evmBytes({ to: pool, data: supply(usdc, AMOUNT, me) })
  expect(await verify(bytes, supplying, limited(AMOUNT))).toMatchObject({ ok: true })
  expect(await verify(bytes, supplying, limited(AMOUNT - 1n))).toMatchObject({ code: 'OVER_LIMIT' })
})
