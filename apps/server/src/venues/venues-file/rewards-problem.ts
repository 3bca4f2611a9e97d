import type { Chain } from '../../chains/index.ts'
import { readFeeds } from '../evm/read-feeds.ts'
import { requireEvmChain } from '../evm/reader.ts'
import type { Rates } from '../port.ts'
import type { ListedVenue } from './listed-venue.ts'

/** What is wrong with the rewards that an entry names, and what to do; `undefined`: nothing, or it names none. */
export async function rewardsProblem(
  chain: Chain,
  { address, rewards, rewardFeed }: ListedVenue,
  rates: Pick<Rates, 'rewards'>,
): Promise<string | undefined> {
  if (rewards === undefined || rewardFeed === undefined) return undefined
  if (rates.rewards === undefined) return `${address} tracks no rewards; remove rewards and rewardFeed`
  const { paidIn } = rates.rewards
  if (paidIn === undefined) return `${rewards} names no reward token for ${address}; correct rewards`
  const [price] = await readFeeds(requireEvmChain(chain), [{ address: paidIn.token, usdFeed: rewardFeed }])
  return price === undefined ? `${rewardFeed} reports no price; correct rewardFeed` : undefined
}
