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

/** The fiat ledger entry posted with a transition; see {@link FIAT_POSTINGS}. */
export type FiatEntryKind = 'received' | 'settled' | 'returned' | 'reversed'

export interface RampTransition {
  readonly direction: RampDirection
  /** Null: start. */
  readonly from: RampStatus | null
  readonly to: RampStatus
  readonly posts?: FiatEntryKind
  /** Event in addition to `updated`, which every transition emits. */
  readonly emits?: 'completed' | 'failed' | 'reversed'
}

type TransitionEffects = Pick<RampTransition, 'posts' | 'emits'>
const t =
  (direction: RampDirection) =>
  (from: RampStatus | null, to: RampStatus, effects: TransitionEffects = {}) =>
    Object.freeze({ direction, from, to, ...effects })
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

/** Terminal statuses; only a reversal can follow `completed`. */
export const TERMINAL_RAMP_STATUSES: readonly RampStatus[] = ['completed', 'failed', 'rejected', 'reversed']

/**
 * The shortest path of transitions from one status to another; empty if the status is the same, `undefined` if there is no
 * path. Events may be lost or late; the path makes sure that every status in between is still reported once, in order.
 */
export function transitionPath(
  direction: RampDirection,
  from: RampStatus | null,
  to: RampStatus,
): RampTransition[] | undefined {
  let paths: RampTransition[][] = [[]]
  const visited = new Set<RampStatus | null>([from])
  while (paths.length > 0) {
    const complete = paths.find((path) => (path.length === 0 ? from : path.at(-1)!.to) === to)
    if (complete) return complete
    paths = paths.flatMap((path) => {
      const at = path.length === 0 ? from : path.at(-1)!.to
      const steps = RAMP_TRANSITIONS.filter(
        (step) => step.direction === direction && step.from === at && !visited.has(step.to),
      )
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
  },
}
