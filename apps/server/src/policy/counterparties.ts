import { contractsOf, type Strategy } from '../venues/index.ts'

/** The counterparty of a move into or out of a strategy, under all the names that a rule may use. */
export function counterpartiesOf(strategy: Pick<Strategy, 'venueName' | 'protocol' | 'params'>): string[] {
  return [strategy.venueName, strategy.protocol, ...Object.values(contractsOf(strategy))]
}
