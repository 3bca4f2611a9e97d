import type { Schema } from '../../api/types.ts'
import { fromBaseUnits, grouped } from '../../lib/money/money.ts'
import { takesNothing } from './terms.ts'

type Bounds = Pick<Schema<'Strategy'>, 'minDeposit' | 'maxDeposit' | 'deposits' | 'tokenDecimals'>

/** The deposits that a strategy takes now, by the catalogue and by its contracts, in tokens. */
export function takes({ minDeposit, maxDeposit, deposits, tokenDecimals }: Bounds): string {
  if (deposits && deposits.state !== 'open') return takesNothing(deposits)
  const amount = (units: string) => grouped(fromBaseUnits(units, tokenDecimals))
  const least = amount(minDeposit ?? '0')
  const most = [maxDeposit, deposits?.room ?? null]
    .filter((bound) => bound !== null)
    .reduce<string | null>((a, b) => (a === null || BigInt(b) < BigInt(a) ? b : a), null)
  return most ? `${least} to ${amount(most)}` : `from ${least}`
}
