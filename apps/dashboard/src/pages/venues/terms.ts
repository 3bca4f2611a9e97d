import type { Schema } from '../../api/types.ts'

type Deposits = NonNullable<Schema<'StrategyRisk'>['deposits']>
type Withdrawals = NonNullable<Schema<'StrategyRisk'>['withdrawals']>

/** What the contracts of a strategy accept. */
export const DEPOSITS = {
  open: 'accepted',
  full: 'not accepted at the moment',
  frozen: 'frozen by the protocol',
  paused: 'paused by the protocol',
} as const satisfies Record<Deposits['state'], string>

/** The same in a column of amounts that it takes. */
export const NOTHING = {
  full: 'nothing now',
  frozen: 'nothing, frozen',
  paused: 'nothing, paused',
} as const satisfies Record<Exclude<Deposits['state'], 'open'>, string>

/** What they pay. */
export const WITHDRAWALS = {
  open: 'paid',
  paused: 'paused by the protocol',
} as const satisfies Record<Withdrawals['state'], string>
