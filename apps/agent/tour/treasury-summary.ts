import { exact, sum } from '../../server/tour/amounts.ts'
import { apyOfGrowth } from '../../server/tour/apy-of-growth.ts'
import type { Network } from '../../server/tour/client.ts'
import { about, columns, heading, percent, type Say } from '../../server/tour/layout.ts'
import { type ListedStrategy, nameOf } from '../../server/tour/strategies.ts'
import { tokensOnChain } from '../../server/tour/tokens-on-chain.ts'
import type { OperationalWallet, Position } from './operational-wallets.ts'

interface Sandbox {
  readonly networks: readonly Network[]
  readonly strategies: readonly ListedStrategy[]
  readonly say: Say
}

interface Outcome {
  readonly days: number
  /** The positions after these days, before anything was withdrawn. */
  readonly grown: readonly Position[]
  /** What came from each of two vaults to fill one buffer. */
  readonly refill: readonly bigint[]
  /** The wallets at the end, with all that they received. */
  readonly wallets: readonly (OperationalWallet & { readonly received: bigint })[]
}

/** Prints what each strategy paid and what each wallet has, with a check that needs no more than subtraction. */
export async function summarizeTreasury(
  { networks, strategies, say }: Sandbox,
  { days, grown, refill, wallets }: Outcome,
): Promise<void> {
  const chainOf = (id: number) => wallets.find((wallet) => wallet.id === id)!.blockchain
  say(heading('Summary', `what each strategy paid in ${days} days`))
  const paid = grown.map(({ opWalletId, strategyId, principal, value }) => [
    chainOf(opWalletId),
    nameOf(strategies, strategyId),
    percent(strategies.find((strategy) => strategy.strategyId === strategyId)!.apy),
    exact(principal),
    exact(value),
    apyOfGrowth(principal, value, days),
  ])
  for (const line of columns([['', 'strategy', 'APY quoted', 'deposited', 'worth', 'APY paid'], ...paid], 2)) say(line)

  say(heading('', 'what each wallet received and has at the end'))
  const yields = wallets.map(({ available, deployed, received }) => available + deployed - received)
  const rows = wallets.map(({ blockchain, received, available, deployed }, at) => [
    blockchain,
    exact(received),
    exact(available),
    exact(deployed),
    exact(yields[at]!),
  ])
  const total = ['all chains', ...totals(wallets), exact(sum(yields))]
  for (const line of columns([['', 'received', 'liquid', 'deployed', 'yield'], ...rows, total], 1)) say(line)

  for (const { blockchain, address, available } of wallets) {
    const onChain = await tokensOnChain(networks.find((network) => network.blockchain === blockchain)!, address)
    if (onChain !== available) throw new Error(`${blockchain}: the chain has ${onChain}, Weir shows ${available}`)
  }
  const [{ blockchain, available, deployed, received }] = wallets as [Outcome['wallets'][number]]
  const [{ principal, value }] = grown as [Position]
  say(heading('Check', `by hand, for ${blockchain}; 1 USDC is 1000000 units`))
  say(about('yield', `${available} + ${deployed} - ${received} = ${yields[0]}`))
  say(about('APY paid', `(${value} / ${principal}) ^ (365 / ${days}) - 1 = ${apyOfGrowth(principal, value, days)}`))
  if (refill.length !== 2)
    throw new Error(`polygon's buffer came from ${refill.length} withdrawals, not from two vaults`)
  say(about('buffer', `${refill.join(' + ')} = ${sum(refill)}: polygon's two vaults; neither could pay alone`))
  const all = wallets.length
  say(about('on chain', `each token's own contract has the same liquid balance as Weir: ${all} of ${all}`))
}

function totals(wallets: Outcome['wallets']): string[] {
  return (['received', 'available', 'deployed'] as const).map((field) => exact(sum(wallets.map((each) => each[field]))))
}
