import { decodeFunctionData, type Hex } from 'viem'
import type { EvmRunState } from '../evm-run-state.ts'
import { abi, worth } from '../world/contracts.ts'
import { exitAt, type SlowMarket } from '../world/exits.ts'
import { seconds } from '../world/world.ts'

/** The flows of a wallet's position and exit in one market since a block. */
export interface SlowFlows {
  /** Inflows minus outflows, in base units; a request is neither. */
  readonly came: bigint
  readonly count: number
  /** Whether something moved that Weir did not plan. */
  readonly outside: boolean
}

/**
 * Inflows minus outflows of what a wallet has in a market whose withdrawals take time, position and exit together, from
 * the chain alone: deposits and claims in tokens, shares from and to others at the price of their block.
 */
export function slowFlowsOf(
  { world }: EvmRunState,
  market: SlowMarket,
  {
    address,
    ours,
    from,
  }: { readonly address: string; readonly ours: ReadonlySet<string | null>; readonly from: number },
): SlowFlows {
  let shares = world.blocks[0]!.state.balance(market.share, address)
  let came = 0n
  let count = 0
  // Wallets begin with such positions, which are posted when they can first be read.
  let outside = shares > 0n
  for (const block of world.blocks.slice(0, world.final.number + 1)) {
    const time = seconds(block.time)
    const price = market.price(time)
    let stray = 0n
    for (const transaction of block.transactions) {
      const moves = transaction.succeeded ? (block.moves.get(transaction.hash) ?? []) : []
      const moved = (token: string) =>
        moves.reduce(
          (sum, { token: of, owner, amount }) => (of === token && owner === address ? sum + amount : sum),
          0n,
        )
      const change = moved(market.share)
      const paid = transaction.to === market.contract && isOwnTurn(transaction, address) ? moved(market.token) : 0n
      if (change === 0n && paid === 0n) continue
      count += 1
      shares += change
      outside ||= !ours.has(transaction.hash)
      const kind = transaction.to === market.contract ? nameOf(transaction.data) : 'other'
      const isInternal = kind === 'requestRedeem' || kind === 'cooldownAssets' || kind === 'cooldownShares'
      const isOwnDeposit = kind === 'deposit' && transaction.sender === address && change > 0n
      if (isOwnDeposit || kind === 'withdraw' || kind === 'unstake') came -= paid
      else if (!isInternal) stray += change
    }
    if (block.number < from) continue
    if (block.number === from) {
      // Everything that was there at the wallet's first reconciliation came from outside.
      const exit = exitAt(block.state, market, address, time)
      came = worth(market, shares, price) + exit.pending + exit.claimable
      continue
    }
    if (stray !== 0n) came += worth(market, shares, price) - worth(market, shares - stray, price)
  }
  return { came, count, outside }
}

const isOwnTurn = ({ sender }: { readonly sender: string }, address: string): boolean => sender === address

const nameOf = (data: string): string => decodeFunctionData({ abi, data: data as Hex }).functionName
