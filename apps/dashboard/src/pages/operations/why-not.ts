interface Ended {
  readonly status: string
  readonly failureReason: string | null
  readonly pausedBecause: string | null
  readonly steps: readonly { readonly error?: string }[]
}

interface WhyNot {
  readonly title: string
  readonly text: string
  readonly color: 'red' | 'gray' | 'yellow'
}

/** The reasons of the service, each as a title and a sentence. */
const REASONS: Readonly<Record<string, readonly [title: string, text: string]>> = {
  CANCELLED: ['It was cancelled', 'Its client cancelled it before anything moved.'],
  SUPERSEDED: ['A newer plan replaced it', 'A newer plan of the same wallet replaced it before anything moved.'],
  EXPIRED: ['It expired', 'It expired before its last transaction was submitted.'],
  ONCHAIN: ['A transaction failed', 'One of its transactions failed on the chain.'],
  REJECTED: ['It was rejected', 'A person or a rule of the approval policy rejected it.'],
  SUBMISSION: ['Its agent did not send it', 'An agent reported that it did not send a transaction.'],
  ABORTED: [
    'Weir aborted it',
    'It could no longer run as planned, nobody approved it within 7 days, or no agent asked for it within a day.',
  ],
}

/**
 * Why an operation has no effect, or none yet: first what its steps say, which is the most exact. Only a failure is
 * red: a decision by people, or an abort in time, is not a failure.
 */
export function whyNot({ status, failureReason, pausedBecause, steps }: Ended): WhyNot | undefined {
  if (failureReason === null)
    return pausedBecause === null
      ? undefined
      : { title: 'It cannot be signed now', text: pausedBecause, color: 'yellow' }
  const [title, text] = REASONS[failureReason] ?? ['It ended without effect', failureReason]
  const error = steps.find((step) => step.error !== undefined)?.error
  return { title, text: error ?? text, color: status === 'FAILED' ? 'red' : 'gray' }
}
