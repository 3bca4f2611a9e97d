import type { Strategy } from './port.ts'

/** Parameters of a strategy that say how a contract is read, and name none. */
export const READINGS: readonly string[] = ['limits', 'rate', 'cash']

/** The addresses of a strategy's contracts, by role. */
export function contractsOf({ params }: Pick<Strategy, 'params'>): Record<string, string> {
  return Object.fromEntries(Object.entries(params).filter(([name]) => !READINGS.includes(name)))
}
