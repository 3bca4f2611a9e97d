import type { Client, Strategy, Venue } from './client.ts'

export interface ListedStrategy extends Strategy {
  readonly blockchain: string
  readonly protocol: string
}

/** The strategies that take USDC, on one chain or on all. */
export async function listStrategies(client: Client, blockchain?: string): Promise<ListedStrategy[]> {
  const filter = blockchain === undefined ? '' : `&blockchain=${blockchain}`
  const { venues } = await client.get<{ venues: Venue[] }>(`/v1/venues?token=USDC${filter}`)
  return venues.flatMap(({ blockchain: chain, protocol, strategies }) =>
    strategies.map((strategy) => ({ ...strategy, blockchain: chain, protocol })),
  )
}

export const nameOf = (strategies: readonly ListedStrategy[], id: number): string =>
  strategies.find(({ strategyId }) => strategyId === id)?.name ?? `strategy ${id}`
