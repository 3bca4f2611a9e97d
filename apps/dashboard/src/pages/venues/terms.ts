import type { Schema } from '../../api/types.ts'
import { words } from '../../lib/text/words.ts'

type Deposits = NonNullable<Schema<'StrategyRisk'>['deposits']>
type Withdrawals = NonNullable<Schema<'StrategyRisk'>['withdrawals']>
/** By state. A service that is newer than this page may have others, which their words name. */
type ByState = Readonly<Record<string, string>>

const DEPOSITS: ByState = {
  open: 'accepted',
  full: 'not accepted at the moment',
  frozen: 'frozen by the protocol',
  paused: 'paused by the protocol',
} satisfies Record<Deposits['state'], string>

const NOTHING: ByState = {
  full: 'nothing now',
  frozen: 'nothing, frozen',
  paused: 'nothing, paused',
} satisfies Record<Exclude<Deposits['state'], 'open'>, string>

const WITHDRAWALS: ByState = {
  open: 'paid',
  paused: 'paused by the protocol',
} satisfies Record<Withdrawals['state'], string>

const wordsOf = (state: string) => words(state).toLowerCase()

/** What the contracts of a strategy accept. */
export const depositsText = ({ state }: Pick<Deposits, 'state'>): string => DEPOSITS[state] ?? wordsOf(state)

/** The same in a column of amounts that it takes, where its deposits are not open. */
export const takesNothing = ({ state }: Pick<Deposits, 'state'>): string =>
  NOTHING[state] ?? `nothing, ${wordsOf(state)}`

/** What they pay. */
export const withdrawalsText = ({ state }: Pick<Withdrawals, 'state'>): string => WITHDRAWALS[state] ?? wordsOf(state)
