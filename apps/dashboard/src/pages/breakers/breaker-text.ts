import type { Schema } from '../../api/types.ts'
import { words } from '../../lib/text/words.ts'

export type Breaker = Schema<'CircuitBreaker'>

/** By kind. A service that is newer than this page may have others, which their words name. */
type ByKind = Readonly<Record<string, string>>

const NAMES: ByKind = {
  price_fall: 'Price fall',
  depeg: 'Depeg',
  illiquidity: 'Illiquidity',
  upgrade: 'Upgrade',
} satisfies Record<Breaker['kind'], string>

export const breakerName = (kind: Breaker['kind']): string => NAMES[kind] ?? words(kind)

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
    default:
      return measure === null ? 'The service names no measure.' : `The service measured ${String(measure)}.`
  }
}

/** What it announced last, which is what an admin accepts. */
export const becauseAnnounced = ({ kind, measure, observation }: Breaker): string =>
  because({ kind, measure: kind === 'upgrade' ? measure : (observation ?? measure) })

const OPENS_AGAIN: ByKind = {
  price_fall: 'It opens again when the price falls by the threshold once more.',
  depeg: 'It opens again when the token moves from its peg by the threshold once more.',
  illiquidity: 'It opens again when the position has become withdrawable and then is not.',
  upgrade: 'It opens again when the code changes again.',
} satisfies Record<Breaker['kind'], string>

/** When an accepted breaker opens again. */
export const opensAgain = (kind: Breaker['kind']): string =>
  OPENS_AGAIN[kind] ?? 'It opens again when its fact gets worse.'
