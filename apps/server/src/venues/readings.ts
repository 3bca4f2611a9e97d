import type { Strategy } from './port.ts'

/**
 * Parameters of a strategy that say how it is read, and name no contract that has its money: another one is no other
 * strategy.
 */
export const READINGS: readonly string[] = ['limits', 'rate', 'cash', 'rewards', 'rewardFeed']

/** The addresses of a strategy's contracts, by role. */
export function contractsOf({ params }: Pick<Strategy, 'params'>): Record<string, string> {
  return Object.fromEntries(Object.entries(params).filter(([name]) => !READINGS.includes(name)))
}
