import type { FiatAccount, RampDirection, RampStatus } from '../../database/index.ts'
import { type StateTable, type StateTransition, stateTable } from '../../kernel/index.ts'

/**
 * The lifecycle of a ramp transaction as data (spec 3.6, contract 11), one table per direction.
 * `advance-ramp-transaction.ts` runs on these tables and is the only code that assigns a status; OpenAPI enums and the
 * diagrams in docs/ramp.md are made from them.
 */
export const RAMP_STATUSES = [
  'pending',
  'processing',
  'in_progress',
  'awaiting_confirmation',
  'broadcasted',
  'completed',
  'failed',
  'rejected',
  'reversed',
] as const satisfies readonly RampStatus[]

/** `new`: the provider has reported nothing, so no row exists. */
export type RampState = RampStatus | 'new'

/** The fiat ledger entry posted with a transition, or, `refunded`, without one; see {@link FIAT_POSTINGS}. */
export type FiatEntryKind = 'received' | 'settled' | 'returned' | 'reversed' | 'refunded'

/** The event is the status that the provider reports. */
export interface RampTransition extends StateTransition<RampState, RampStatus> {
  readonly to: RampStatus
  readonly posts?: FiatEntryKind
  /** Event in addition to `updated`, which every transition emits. */
  readonly emits?: 'completed' | 'failed' | 'reversed'
}

type TransitionEffects = Pick<RampTransition, 'posts' | 'emits'>
const t = (from: RampState, to: RampStatus, effects: TransitionEffects = {}): RampTransition => ({
  from,
  event: to,
  to,
  ...effects,
})

const SETTLED: TransitionEffects = { posts: 'settled', emits: 'completed' }
const RETURNED: TransitionEffects = { posts: 'returned', emits: 'failed' }
const REVERSED: TransitionEffects = { posts: 'reversed', emits: 'reversed' }

/** No transition leads back: an event that comes late, whatever its number, cannot return to an earlier status. */
export const RAMP_TRANSACTIONS: Readonly<Record<RampDirection, StateTable<RampTransition>>> = {
  onramp: stateTable([
    t('new', 'pending', { posts: 'received' }),
    t('pending', 'processing'),
    t('pending', 'rejected', RETURNED),
    t('processing', 'failed', RETURNED),
    t('processing', 'in_progress'),
    t('in_progress', 'failed', RETURNED),
    t('in_progress', 'awaiting_confirmation'),
    t('in_progress', 'broadcasted'),
    t('awaiting_confirmation', 'broadcasted'),
    t('broadcasted', 'completed', SETTLED),
    t('broadcasted', 'failed', RETURNED),
    t('completed', 'reversed', REVERSED),
  ]),
  offramp: stateTable([
    t('new', 'pending', { posts: 'received' }),
    t('pending', 'processing'),
    t('pending', 'rejected', RETURNED),
    t('processing', 'failed', RETURNED),
    t('processing', 'in_progress'),
    t('in_progress', 'failed', RETURNED),
    t('in_progress', 'awaiting_confirmation'),
    t('in_progress', 'completed', SETTLED),
    t('awaiting_confirmation', 'completed', SETTLED),
    t('awaiting_confirmation', 'failed', RETURNED),
    t('completed', 'reversed', REVERSED),
  ]),
}

/** Terminal statuses; only a reversal can follow `completed`. */
export const TERMINAL_RAMP_STATUSES: readonly RampStatus[] = ['completed', 'failed', 'rejected', 'reversed']

/**
 * The shortest path of transitions from one state to a status; empty if they are the same, `undefined` if there is no
 * path. Events may be lost or late; the path makes sure that every status in between is reported once, in order.
 */
export function transitionPath(
  direction: RampDirection,
  from: RampState,
  to: RampStatus,
): RampTransition[] | undefined {
  const { transitions } = RAMP_TRANSACTIONS[direction]
  let paths: RampTransition[][] = [[]]
  const visited = new Set<RampState>([from])
  const endOf = (path: readonly RampTransition[]): RampState => path.at(-1)?.to ?? from
  while (paths.length > 0) {
    const complete = paths.find((path) => endOf(path) === to)
    if (complete) return complete
    paths = paths.flatMap((path) => {
      const steps = transitions.filter((step) => step.from === endOf(path) && !visited.has(step.to))
      for (const step of steps) visited.add(step.to)
      return steps.map((step) => [...path, step])
    })
  }
  return undefined
}

/** The part of the amount that a posting moves: gross, net or fee. */
type Share = 'usd' | 'net' | 'fee'
type FiatPostingRule = readonly [account: FiatAccount, sign: 1n | -1n, share: Share]

/**
 * The fiat ledger, by direction and kind. `bank` is the outside banking system, `customer` the value exchanged for tokens,
 * `in_transit` money held in between, `fees` our fees, and `claims` the debt that a reversal leaves: positive if we owe
 * the customer, negative if the customer owes us.
 */
export const FIAT_POSTINGS: Readonly<
  Record<RampDirection, Readonly<Record<FiatEntryKind, readonly FiatPostingRule[]>>>
> = {
  onramp: {
    received: [
      ['bank', -1n, 'usd'],
      ['in_transit', 1n, 'usd'],
    ],
    settled: [
      ['in_transit', -1n, 'usd'],
      ['customer', 1n, 'net'],
      ['fees', 1n, 'fee'],
    ],
    returned: [
      ['in_transit', -1n, 'usd'],
      ['bank', 1n, 'usd'],
    ],
    // The bank reverses the payment but the tokens stay delivered, so the customer owes their value.
    reversed: [
      ['bank', 1n, 'usd'],
      ['fees', -1n, 'fee'],
      ['claims', -1n, 'net'],
    ],
    // Nobody gives delivered tokens back through the partner.
    refunded: [],
  },
  offramp: {
    received: [
      ['customer', -1n, 'usd'],
      ['in_transit', 1n, 'usd'],
    ],
    settled: [
      ['in_transit', -1n, 'usd'],
      ['bank', 1n, 'net'],
      ['fees', 1n, 'fee'],
    ],
    returned: [
      ['in_transit', -1n, 'usd'],
      ['customer', 1n, 'usd'],
    ],
    // The payout comes back and we keep the tokens, so we owe the customer their full value.
    reversed: [
      ['bank', -1n, 'net'],
      ['fees', -1n, 'fee'],
      ['claims', 1n, 'usd'],
    ],
    // The tokens go back after all, so the customer gave nothing and is owed nothing.
    refunded: [
      ['claims', -1n, 'usd'],
      ['customer', 1n, 'usd'],
    ],
  },
}
