import { decodeFunctionData, type Hex, maxUint256, parseAbi, toEventSelector } from 'viem'
import type { ChainLog } from '../../src/chains/index.ts'
import { isSlow } from './exits.ts'
import { type Market, USDT, WEALTH } from './market.ts'
import { executeSlowly } from './slow-contracts.ts'
import { Revert, type State } from './state.ts'

/** The simulated contracts' interface. Written here independently of the adapters under test. */
export const abi = parseAbi([
  'function transfer(address to, uint256 value)',
  'function approve(address spender, uint256 amount)',
  'function supply(address asset, uint256 amount, address onBehalfOf, uint16 referralCode)',
  'function withdraw(address asset, uint256 amount, address to)',
  'function deposit(uint256 assets, address receiver)',
  'function redeem(uint256 shares, address receiver, address owner)',
  'function withdraw(uint256 assets, address receiver, address owner)',
  'function requestRedeem(uint256 shares, address controller, address owner)',
  'function cooldownAssets(uint256 assets)',
  'function cooldownShares(uint256 shares)',
  'function unstake(address receiver)',
])

export interface Act {
  readonly sender: string
  readonly to: string
  readonly data: string
}

const TRANSFER = toEventSelector('Transfer(address,address,uint256)')
const MINT = toEventSelector('Mint(address,address,uint256,uint256,uint256)')
const BURN = toEventSelector('Burn(address,address,uint256,uint256,uint256)')
const DEPOSIT = toEventSelector('Deposit(address,address,uint256,uint256)')
const WITHDRAW = toEventSelector('Withdraw(address,address,address,uint256,uint256)')
const NOBODY = `0x${'0'.repeat(40)}`

const word = (value: bigint): string => value.toString(16).padStart(64, '0')
const topic = (address: string): string => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`
const event = (address: string, selector: string, who: readonly string[], amounts: readonly bigint[]): ChainLog => ({
  address,
  topics: [selector, ...who.map(topic)],
  data: `0x${amounts.map(word).join('')}`,
})

export const RAY = 10n ** 27n
export const rayMul = (a: bigint, b: bigint): bigint => (a * b + RAY / 2n) / RAY
const rayDiv = (a: bigint, b: bigint): bigint => (a * RAY + b / 2n) / b
/** The price is the value of 10^30 shares, as in the vault adapter. */
export const PRICED = 10n ** 30n

/** The value of shares, rounded as their protocol rounds. */
export function worth(market: Market, shares: bigint, price: bigint): bigint {
  return market.protocol === 'aave-v3' ? rayMul(shares, price) : (shares * price) / PRICED
}

/** What a market could pay now. */
export function payableBy(state: State, { token, safe, limits }: Market): bigint {
  const idle = state.balance(token, safe) - limits.lent
  return idle > 0n ? idle : 0n
}

/** What everybody has deposited, the wealth that a market starts with included. */
export function depositsIn(state: State, { token, safe, limits }: Market): bigint {
  const held = state.balance(token, safe)
  if (limits.others === null) return held
  const own = held - WEALTH
  return limits.others + (own > 0n ? own : 0n)
}

/** What a market's cap leaves for deposits. */
export function roomOf(state: State, { token, safe, limits }: Market): bigint {
  if (limits.cap === null) return maxUint256
  const room = limits.cap - state.balance(token, safe)
  return room > 0n ? room : 0n
}

function requirePayable(state: State, market: Market, amount: bigint): void {
  const { refuses, most } = market.limits
  if (refuses || amount > payableBy(state, market)) throw new Revert('not enough liquidity')
  if (most !== null && amount > most) throw new Revert('too much at once')
}

interface AllowedTransfer {
  readonly token: string
  readonly from: string
  readonly spender: string
  readonly to: string
  readonly amount: bigint
}

/** Applies a transaction to the state; returns its events. Throws Revert. */
export function execute(state: State, markets: readonly Market[], time: number, act: Act): ChainLog[] {
  if (act.data === '0x') return []
  const call = decode(act.data)
  const logs: ChainLog[] = []
  const move = (token: string, from: string, to: string, amount: bigint) => {
    state.add(token, from, -amount)
    state.add(token, to, amount)
    logs.push(event(token, TRANSFER, [from, to], [amount]))
  }
  const pull = ({ token, from, spender, to, amount }: AllowedTransfer) => {
    const left = state.allowance(token, from, spender) - amount
    if (left < 0n) throw new Revert('insufficient allowance')
    state.allow(token, from, spender, left)
    move(token, from, to, amount)
  }
  const market = markets.find(
    ({ contract, token }) =>
      contract === act.to &&
      (call.args.length < 3 ||
        call.functionName === 'redeem' ||
        typeof call.args[0] === 'bigint' ||
        token === call.args[0]),
  )
  const receipt = markets.find(({ share }) => share === act.to)

  if (call.functionName === 'approve') {
    const [spender, amount] = call.args
    // Tether refuses to change a non-zero allowance.
    const stands = state.allowance(act.to, act.sender, spender) > 0n
    if (act.to === USDT.address && stands && amount > 0n) throw new Revert('approve from non-zero to non-zero')
    state.allow(act.to, act.sender, spender, amount)
    return logs
  }
  if (call.functionName === 'transfer') {
    const [to, amount] = call.args
    if (receipt?.protocol !== 'aave-v3') {
      move(act.to, act.sender, to, amount)
      return logs
    }
    const scaled = rayDiv(amount, receipt.price(time))
    state.add(receipt.share, act.sender, -scaled)
    state.add(receipt.share, to, scaled)
    for (const owner of [act.sender, to]) state.setIndex(receipt.share, owner, receipt.price(time))
    return [event(receipt.share, TRANSFER, [act.sender, to], [amount])]
  }
  if (!market) throw new Revert('no such contract')
  const price = market.price(time)

  if (market.protocol === 'aave-v3') {
    const interest = (owner: string): bigint => {
      const scaled = state.balance(market.share, owner)
      const before = state.indexOf(market.share, owner) ?? price
      state.setIndex(market.share, owner, price)
      return rayMul(scaled, price) - rayMul(scaled, before)
    }
    if (call.functionName === 'supply') {
      const [, amount, owner] = call.args
      const scaled = rayDiv(amount, price)
      if (scaled === 0n) throw new Revert('INVALID_MINT_AMOUNT')
      if (!market.limits.accepts) throw new Revert('RESERVE_FROZEN')
      if (amount > roomOf(state, market)) throw new Revert('SUPPLY_CAP_EXCEEDED')
      pull({ token: market.token, from: act.sender, spender: market.contract, to: market.safe, amount })
      const increase = interest(owner)
      state.add(market.share, owner, scaled)
      logs.push(event(market.share, TRANSFER, [NOBODY, owner], [amount + increase]))
      logs.push(event(market.share, MINT, [act.sender, owner], [amount + increase, increase, price]))
      return logs
    }
    if (call.functionName !== 'withdraw' || typeof call.args[0] === 'bigint') throw new Revert('no such function')
    const [, wanted, to] = call.args as readonly [string, bigint, string]
    const held = rayMul(state.balance(market.share, act.sender), price)
    const amount = wanted === maxUint256 ? held : wanted
    if (amount === 0n || amount > held) throw new Revert('NOT_ENOUGH_AVAILABLE_USER_BALANCE')
    const scaled = rayDiv(amount, price)
    if (scaled === 0n) throw new Revert('INVALID_BURN_AMOUNT')
    requirePayable(state, market, amount)
    const increase = interest(act.sender)
    state.add(market.share, act.sender, -scaled)
    if (increase > amount) {
      logs.push(event(market.share, TRANSFER, [NOBODY, act.sender], [increase - amount]))
      logs.push(event(market.share, MINT, [act.sender, act.sender], [increase - amount, increase, price]))
    } else {
      logs.push(event(market.share, TRANSFER, [act.sender, NOBODY], [amount - increase]))
      logs.push(event(market.share, BURN, [act.sender, to], [amount - increase, increase, price]))
    }
    move(market.token, market.safe, to, amount)
    return logs
  }

  if (call.functionName === 'deposit') {
    const [assets, owner] = call.args
    const kept = (assets * market.limits.feeBps) / 10_000n
    const shares = ((assets - kept) * PRICED) / price
    if (!market.limits.accepts || assets > roomOf(state, market)) throw new Revert('ERC4626ExceededMaxDeposit')
    pull({ token: market.token, from: act.sender, spender: market.contract, to: market.safe, amount: assets })
    state.add(market.share, owner, shares)
    logs.push(event(market.share, TRANSFER, [NOBODY, owner], [shares]))
    logs.push(event(market.share, DEPOSIT, [act.sender, owner], [assets, shares]))
    return logs
  }
  if (isSlow(market)) {
    const { functionName, args } = call
    return executeSlowly(market, { sender: act.sender, functionName, args, time, state, move, event, logs })
  }
  const leave = (owner: string, to: string, assets: bigint, shares: bigint): ChainLog[] => {
    if (owner !== act.sender) throw new Revert('ERC4626: not the owner')
    requirePayable(state, market, assets)
    state.add(market.share, owner, -shares)
    logs.push(event(market.share, TRANSFER, [owner, NOBODY], [shares]))
    move(market.token, market.safe, to, assets)
    logs.push(event(market.share, WITHDRAW, [act.sender, to, owner], [assets, shares]))
    return logs
  }
  const left = 10_000n - market.limits.hiddenBps
  if (call.functionName === 'redeem') {
    const [shares, to, owner] = call.args
    return leave(owner, to, (((shares * price) / PRICED) * left) / 10_000n, shares)
  }
  if (call.functionName === 'withdraw' && typeof call.args[0] === 'bigint') {
    const [assets, to, owner] = call.args as readonly [bigint, string, string]
    const worthOfAll = (assets * 10_000n + left - 1n) / left
    return leave(owner, to, assets, (worthOfAll * PRICED + price - 1n) / price)
  }
  throw new Revert('no such function')
}

function decode(data: string) {
  try {
    return decodeFunctionData({ abi, data: data as Hex })
  } catch {
    throw new Revert('no such function')
  }
}
