import { BREAKERS } from '../../api/paths.ts'
import type { Schema } from '../../api/types.ts'
import { useApi } from '../../api/use-api.ts'

export type Breaker = Schema<'CircuitBreaker'>

/** The organization's settings, and its breakers that are not closed. */
export const useBreakers = () => useApi<Schema<'CircuitBreakers'>>(BREAKERS)

/** Whether Weir does not deposit there on its own. */
export const stops = ({ state }: Breaker): boolean => state === 'open' || state === 'recovering'

const NAMES = {
  price_fall: 'Price fall',
  depeg: 'Depeg',
  illiquidity: 'Illiquidity',
  upgrade: 'Upgrade',
} as const satisfies Record<Breaker['kind'], string>

export const breakerName = (kind: Breaker['kind']): string => NAMES[kind]

/** What the service measured when the breaker last changed its state. */
export function because({ kind, measure }: Pick<Breaker, 'kind' | 'measure'>): string {
  switch (kind) {
    case 'price_fall':
      return `The share price was ${measure}% below its highest in 30 days.`
    case 'depeg':
      return `The token was ${measure}% from 1 US dollar.`
    case 'illiquidity':
      return `${measure}% of your position could be withdrawn.`
    case 'upgrade':
      return 'The code of a contract has changed.'
  }
}

/** What it announced last, which is what an admin accepts. */
export const becauseAnnounced = ({ kind, measure, observation }: Breaker): string =>
  because({ kind, measure: kind === 'upgrade' ? measure : (observation ?? measure) })

/** When an accepted breaker opens again. */
export const opensAgain: Readonly<Record<Breaker['kind'], string>> = {
  price_fall: 'It opens again when the price falls by the threshold once more.',
  depeg: 'It opens again when the token moves from its peg by the threshold once more.',
  illiquidity: 'It opens again when the position has become withdrawable and then is not.',
  upgrade: 'It opens again when the code changes again.',
}
