import { type Address, encodeFunctionData, erc20Abi, type Hex, maxUint256, parseAbi, serializeTransaction } from 'viem'
import { describe, expect, test } from 'vitest'
import { checkTransaction, type Rules } from './check-transaction.ts'

const address = (digit: string) => `0x${digit.repeat(40)}` as Address
const [TOKEN, POOL, VAULT, WALLET, THIEF] = ['1', '2', '3', '4', '5'].map(address) as [
  Address,
  Address,
  Address,
  Address,
  Address,
]
const rules: Rules = { chainId: 31338, token: TOKEN, venues: [POOL, VAULT], maxFee: 10n ** 15n }
const MOST = 1_000n

const VENUES = parseAbi([
  'function supply(address asset, uint256 amount, address onBehalfOf, uint16 referralCode)',
  'function withdraw(address asset, uint256 amount, address to)',
  'function deposit(uint256 assets, address receiver)',
  'function redeem(uint256 shares, address receiver, address owner)',
  'function transferFrom(address from, address to, uint256 amount)',
])
const VAULT_WITHDRAWAL = parseAbi(['function withdraw(uint256 assets, address receiver, address owner)'])

interface Call {
  readonly to: Address
  readonly data: Hex
  readonly chainId?: number
  readonly value?: bigint
  readonly gas?: bigint
}

const bytesOf = ({ to, data, chainId = 31338, value = 0n, gas = 100_000n }: Call) =>
  serializeTransaction({ type: 'eip1559', to, data, chainId, value, gas, maxFeePerGas: 10n ** 9n, nonce: 0 })
const approve = (spender: Address, amount: bigint) =>
  encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, amount] })
const supply = (asset: Address, amount: bigint, owner: Address) =>
  encodeFunctionData({ abi: VENUES, functionName: 'supply', args: [asset, amount, owner, 0] })
const withdraw = (to: Address) =>
  encodeFunctionData({ abi: VENUES, functionName: 'withdraw', args: [TOKEN, maxUint256, to] })
const deposit = (amount: bigint, owner: Address) =>
  encodeFunctionData({ abi: VENUES, functionName: 'deposit', args: [amount, owner] })
const redeem = (to: Address) => encodeFunctionData({ abi: VENUES, functionName: 'redeem', args: [5n, to, WALLET] })
const take = (to: Address) =>
  encodeFunctionData({ abi: VAULT_WITHDRAWAL, functionName: 'withdraw', args: [5n, to, WALLET] })

const checked = (call: Call) => () => checkTransaction(bytesOf(call), WALLET, MOST, rules)

describe('the check before a signature', () => {
  test.each<[string, Call]>([
    ['an approval of the amount', { to: TOKEN, data: approve(POOL, MOST) }],
    ['a supply on behalf of the wallet', { to: POOL, data: supply(TOKEN, MOST, WALLET) }],
    ['a deposit for the wallet', { to: VAULT, data: deposit(MOST, WALLET) }],
    ['a withdrawal to the wallet', { to: POOL, data: withdraw(WALLET) }],
    ["a vault's withdrawal to the wallet", { to: VAULT, data: take(WALLET) }],
    ['a redemption to the wallet', { to: VAULT, data: redeem(WALLET) }],
  ])('passes %s', (_name, call) => {
    expect(checked(call)).not.toThrow()
  })

  test.each<[string, Call]>([
    ['another chain', { to: POOL, data: withdraw(WALLET), chainId: 1 }],
    ['native coins', { to: POOL, data: withdraw(WALLET), value: 1n }],
    ['a fee above the limit', { to: POOL, data: withdraw(WALLET), gas: 10n ** 7n }],
    ['an approval for a stranger', { to: TOKEN, data: approve(THIEF, 1n) }],
    ['an approval of more', { to: TOKEN, data: approve(POOL, MOST + 1n) }],
    ['an approval of another token', { to: VAULT, data: approve(POOL, 1n) }],
    ['a supply of more', { to: POOL, data: supply(TOKEN, MOST + 1n, WALLET) }],
    ['a supply of another token', { to: POOL, data: supply(THIEF, 1n, WALLET) }],
    ['a supply on behalf of a stranger', { to: POOL, data: supply(TOKEN, 1n, THIEF) }],
    ['a supply to another contract', { to: THIEF, data: supply(TOKEN, 1n, WALLET) }],
    ['a deposit of more', { to: VAULT, data: deposit(MOST + 1n, WALLET) }],
    ['a deposit for a stranger', { to: VAULT, data: deposit(1n, THIEF) }],
    ['a withdrawal to a stranger', { to: POOL, data: withdraw(THIEF) }],
    ['a withdrawal to the token, where it is lost', { to: POOL, data: withdraw(TOKEN) }],
    ["a vault's withdrawal to a stranger", { to: VAULT, data: take(THIEF) }],
    ['a redemption to a stranger', { to: VAULT, data: redeem(THIEF) }],
    [
      'a function that is not on the list',
      { to: TOKEN, data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [THIEF, 1n] }) },
    ],
    ['no function at all', { to: POOL, data: '0x' }],
  ])('refuses %s', (_name, call) => {
    expect(checked(call)).toThrow()
  })
})
