import type { Chain } from '../chains/index.ts'
import { Failure } from '../kernel/index.ts'
import type { RebalanceParts } from './parts.ts'
import type { Holding } from './planner.ts'
import { roomsOf } from './read-caps.ts'
import { type Market, readMarket } from './read-market.ts'
import type { Facts } from './read-page.ts'
import { holdingsOf } from './situation.ts'

/** What else decides about a page of operational wallets: balances, markets, positions, caps. */
export interface Seen {
  /** Base units in the chain's latest block; `undefined`: the chain does not answer. */
  balanceOf(facts: Facts): bigint | undefined
  marketOf(facts: Facts): Market | undefined
  holdingsOf(facts: Facts): readonly Holding[]
  roomsOf(facts: Facts): ReadonlyMap<number, bigint>
}

/** Reads it: one batched read of balances a chain, one market a token, one statement for all positions. */
export async function seePage(parts: RebalanceParts, page: readonly Facts[]): Promise<Seen> {
  const idle = page.filter(({ busyWith }) => busyWith === undefined)
  const balances = new Map<number, bigint>()
  const markets = new Map<string, Market>()
  const rooms = new Map<number, ReadonlyMap<number, bigint>>()
  await Promise.all(
    [...Map.groupBy(idle, ({ blockchain }) => blockchain)].map(async ([blockchain, own]) => {
      const chain = parts.chains.get(blockchain)
      if (chain) await seeChain(parts, chain, own, balances, markets)
    }),
  )
  for (const { opWallet } of idle) {
    const { organizationId } = opWallet
    if (!rooms.has(organizationId)) rooms.set(organizationId, await roomsOf(parts.db, organizationId))
  }
  const holdings =
    idle.length === 0
      ? new Map<number, Holding[]>()
      : await holdingsOf(
          parts.db,
          idle.map(({ opWallet }) => opWallet),
        )
  return {
    balanceOf: ({ opWallet }) => balances.get(opWallet.opWalletId),
    marketOf: (facts) => markets.get(placeOf(facts)),
    holdingsOf: ({ opWallet }) => holdings.get(opWallet.opWalletId) ?? [],
    roomsOf: ({ opWallet }) => rooms.get(opWallet.organizationId) ?? new Map(),
  }
}

async function seeChain(
  parts: RebalanceParts,
  chain: Chain,
  own: readonly Facts[],
  balances: Map<number, bigint>,
  markets: Map<string, Market>,
): Promise<void> {
  try {
    const asked = own.map(({ address, opWallet }) => ({ owner: address, token: opWallet.tokenAddress }))
    const read = await chain.balances(asked)
    for (const [index, { opWallet }] of own.entries()) balances.set(opWallet.opWalletId, read[index]!)
    for (const facts of own) {
      const place = placeOf(facts)
      if (markets.has(place)) continue
      markets.set(
        place,
        await readMarket(parts.db, chain, facts.opWallet.tokenAddress, facts.address, parts.rebalancing),
      )
    }
  } catch (error) {
    // What was not read is not guessed: its wallets are looked at again later (money-rules 12).
    if (!(error instanceof Failure)) throw error
  }
}

const placeOf = ({ blockchain, opWallet }: Facts): string => `${blockchain} ${opWallet.tokenAddress}`
