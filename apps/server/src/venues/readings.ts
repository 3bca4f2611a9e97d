import type { Strategy } from './port.ts'

/**
 * Parameters of a strategy that say how it is read, and name no contract that has its money: another one is no other
 * strategy.
 */
export const READINGS: readonly string[] = ['limits', 'rate', 'cash', 'rewards']

/** The contract that pays rewards, and the feed of their token's price in US dollars. */
export interface RewardSource {
  readonly rewards: string
  readonly rewardFeed: string
}

/**
 * As `rewards` of a strategy's parameters: one text, because 0.2.0 takes every address among them for a contract of the
 * strategy, and would see an upgrade.
 */
export const rewardsParam = ({ rewards, rewardFeed }: RewardSource): string => `${rewards}/${rewardFeed}`

/** The inverse; `undefined` where the strategy names none. */
export function rewardSourceOf({ params }: Pick<Strategy, 'params'>): RewardSource | undefined {
  const [rewards, rewardFeed] = params.rewards?.split('/') ?? []
  return rewards === undefined || rewardFeed === undefined ? undefined : { rewards, rewardFeed }
}

/** The addresses of a strategy's contracts, by role. */
export function contractsOf({ params }: Pick<Strategy, 'params'>): Record<string, string> {
  return Object.fromEntries(Object.entries(params).filter(([name]) => !READINGS.includes(name)))
}
