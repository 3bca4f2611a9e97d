import type { FiatAccount, RampDirection, RampStatus } from '../../database/index.ts'

/**
 * The ramp transaction's state machine as data (spec 3.6, contract 11). Handlers, OpenAPI enums, docs and tests
 * are made from these tables; no other code assigns a status.
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

/** What is posted to the fiat side of the books with a transition; see {@link FIAT_POSTINGS}. */
export type FiatEntryKind = 'received' | 'settled' | 'returned' | 'reversed'

export interface RampTransition {
  readonly direction: RampDirection
  /** Null: it begins. */
  readonly from: RampStatus | null
  readonly to: RampStatus
  readonly posts?: FiatEntryKind
  /** Beside `updated`, which every transition tells. */
  readonly emits?: 'completed' | 'failed' | 'reversed'
}

type TransitionEffects = Pick<RampTransition, 'posts' | 'emits'>
const t =
  (direction: RampDirection) =>
  (from: RampStatus | null, to: RampStatus, more: TransitionEffects = {}) =>
    Object.freeze({ direction, from, to, ...more })
const onramp = t('onramp')
const offramp = t('offramp')

const SETTLED: TransitionEffects = { posts: 'settled', emits: 'completed' }
const RETURNED: TransitionEffects = { posts: 'returned', emits: 'failed' }
const REVERSED: TransitionEffects = { posts: 'reversed', emits: 'reversed' }

export const RAMP_TRANSITIONS: readonly RampTransition[] = Object.freeze([
  onramp(null, 'pending', { posts: 'received' }),
  onramp('pending', 'processing'),
  onramp('pending', 'rejected', RETURNED),
  onramp('processing', 'failed', RETURNED),
  onramp('processing', 'in_progress'),
  onramp('in_progress', 'failed', RETURNED),
  onramp('in_progress', 'awaiting_confirmation'),
  onramp('in_progress', 'broadcasted'),
  onramp('awaiting_confirmation', 'broadcasted'),
  onramp('broadcasted', 'completed', SETTLED),
  onramp('broadcasted', 'failed', RETURNED),
  onramp('completed', 'reversed', REVERSED),
  offramp(null, 'pending', { posts: 'received' }),
  offramp('pending', 'processing'),
  offramp('pending', 'rejected', RETURNED),
  offramp('processing', 'failed', RETURNED),
  offramp('processing', 'in_progress'),
  offramp('in_progress', 'failed', RETURNED),
  offramp('in_progress', 'awaiting_confirmation'),
  offramp('in_progress', 'completed', SETTLED),
  offramp('awaiting_confirmation', 'completed', SETTLED),
  offramp('completed', 'reversed', REVERSED),
])

/** Statuses that a transaction leaves by itself no more. */
export const TERMINAL_RAMP_STATUSES: readonly RampStatus[] = ['completed', 'failed', 'rejected', 'reversed']

/**
 * The transitions that lead from one status to another, the fewest; empty when it is there already, `undefined` when no
 * way leads there. Events may be lost or late: what they would have told is told all the same, once, in order.
 */
export function transitionPath(
  direction: RampDirection,
  from: RampStatus | null,
  to: RampStatus,
): RampTransition[] | undefined {
  let ways: RampTransition[][] = [[]]
  const seen = new Set<RampStatus | null>([from])
  while (ways.length > 0) {
    const arrived = ways.find((way) => (way.length === 0 ? from : way.at(-1)!.to) === to)
    if (arrived) return arrived
    ways = ways.flatMap((way) => {
      const at = way.length === 0 ? from : way.at(-1)!.to
      const steps = RAMP_TRANSITIONS.filter(
        (step) => step.direction === direction && step.from === at && !seen.has(step.to),
      )
      for (const step of steps) seen.add(step.to)
      return steps.map((step) => [...way, step])
    })
  }
  return undefined
}

/** What a posting moves: all of it, what is left after the fee, or the fee. */
type Share = 'usd' | 'net' | 'fee'
type FiatPostingRule = readonly [account: FiatAccount, sign: 1n | -1n, share: Share]

/**
 * The fiat side of the books, by direction and kind. `bank` is the world of banks, `customer` what was given for tokens,
 * `in_transit` what we hold in between, `fees` what we keep, and `claims` what a reversal leaves owing: above zero we owe
 * it to the customer, below zero the customer owes it.
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
    // The bank takes the payment back; the tokens stay delivered, so that the customer owes what they were given for.
    reversed: [
      ['bank', 1n, 'usd'],
      ['fees', -1n, 'fee'],
      ['claims', -1n, 'net'],
    ],
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
    // The payout comes back; the tokens are ours, so that we owe the customer all that they were worth.
    reversed: [
      ['bank', -1n, 'net'],
      ['fees', -1n, 'fee'],
      ['claims', 1n, 'usd'],
    ],
  },
}
