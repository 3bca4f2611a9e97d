import { toEventSelector } from 'viem'
import type { ChainLog } from '../../src/chains/index.ts'
import { endOfEpoch, exitAt, type SlowMarket, settled } from './exits.ts'
import { Revert, type State } from './state.ts'

const REQUEST = toEventSelector('RedeemRequest(address,address,uint256,address,uint256)')
const WITHDRAW = toEventSelector('Withdraw(address,address,address,uint256,uint256)')
const PRICED = 10n ** 30n

/** A decoded call, and what contracts do to tokens, shares and logs. */
export interface SlowCall {
  readonly sender: string
  readonly functionName: string
  readonly args: readonly unknown[]
  readonly time: number
  readonly state: State
  /** Moves tokens or shares, with the event of it. */
  readonly move: (token: string, from: string, to: string, amount: bigint) => void
  readonly event: (address: string, selector: string, who: readonly string[], amounts: readonly bigint[]) => ChainLog
  readonly logs: ChainLog[]
}

/** A request or a claim of a market whose withdrawals take time. Throws Revert. */
export function executeSlowly(market: SlowMarket, call: SlowCall): ChainLog[] {
  return market.protocol === 'erc7540' ? executeOnQueue(market, call) : executeOnCooldown(market, call)
}

function executeOnQueue(market: SlowMarket, call: SlowCall): ChainLog[] {
  const { sender, functionName, args, time, state, move, event, logs } = call
  if (functionName === 'requestRedeem') {
    const [shares, controller, owner] = args as readonly [bigint, string, string]
    if (owner !== sender) throw new Revert('not the owner')
    move(market.share, owner, market.contract, shares)
    const { waiting, claimable } = settled(state, market, controller, time)
    const request = { until: endOfEpoch(market, time), shares }
    state.setExit(market.contract, controller, { waiting: [...waiting, request], claimable })
    // The id 0 of the request is indexed like an address.
    logs.push(event(market.contract, REQUEST, [controller, owner, `0x${'0'.repeat(40)}`], [BigInt(sender), shares]))
    return logs
  }
  if (functionName !== 'withdraw') throw new Revert('no such function')
  const [assets, receiver, controller] = args as readonly [bigint, string, string]
  if (controller !== sender) throw new Revert('not the controller')
  const { waiting, claimable } = settled(state, market, controller, time)
  if (assets > claimable) throw new Revert('ExceedsClaimable')
  state.setExit(market.contract, controller, { waiting, claimable: claimable - assets })
  move(market.token, market.exit.escrow, receiver, assets)
  logs.push(event(market.contract, WITHDRAW, [sender, receiver, controller], [assets, assets]))
  return logs
}

function executeOnCooldown(market: SlowMarket, call: SlowCall): ChainLog[] {
  const { sender, functionName, args, time, state, move, event, logs } = call
  const { escrow } = market.exit
  if (functionName === 'unstake') {
    const [receiver] = args as readonly [string]
    const { pending, claimable } = exitAt(state, market, sender, time)
    if (pending + claimable === 0n) throw new Revert('NothingToClaim')
    if (pending > 0n) throw new Revert('StillCooling')
    state.setExit(market.contract, sender, { waiting: [], claimable: 0n })
    move(market.token, escrow, receiver, claimable)
    return logs
  }
  const price = market.price(time)
  const [amount] = args as readonly [bigint]
  if (functionName !== 'cooldownShares' && functionName !== 'cooldownAssets') throw new Revert('no such function')
  const isInShares = functionName === 'cooldownShares'
  const assets = isInShares ? (amount * price) / PRICED : amount
  const shares = isInShares ? amount : (amount * PRICED + price - 1n) / price
  const { pending, claimable } = exitAt(state, market, sender, time)
  move(market.share, sender, `0x${'0'.repeat(40)}`, shares)
  move(market.token, market.safe, escrow, assets)
  // All of it waits from the start again.
  const request = { until: time + market.exit.seconds, shares: 0n, assets: pending + claimable + assets }
  state.setExit(market.contract, sender, { waiting: [request], claimable: 0n })
  logs.push(event(market.contract, WITHDRAW, [sender, escrow, sender], [assets, shares]))
  return logs
}
