/** What the service returns for a deposit or a withdrawal that it planned. */
export interface PlannedMove {
  readonly operationId: number
  readonly status: string
  /** Why Weir would not do that on its own, or what it costs; sentences. */
  readonly warnings?: readonly string[]
}

/** What a request brought about, for a notification. */
export interface Outcome {
  readonly title: string
  readonly text: string
  readonly color?: 'red' | 'yellow'
}

/** Whether a planned move is made, waits or is not made, and what to know about it. `does`: such as `deploys into Aave`. */
export function plannedText({ operationId, status, warnings = [] }: PlannedMove, does: string): Outcome {
  const operation = `Operation ${operationId}`
  if (status === 'REJECTED')
    return { title: 'Rejected by the approval policy', text: `${operation} moves nothing.`, color: 'red' }
  const isWaiting = status === 'PENDING_APPROVAL'
  const first = isWaiting ? `${operation} ${does} once it is approved.` : `${operation} ${does}.`
  return {
    title: isWaiting ? 'Waits for approval' : 'Done',
    text: [first, ...warnings].join(' '),
    ...(warnings.length > 0 && { color: 'yellow' }),
  }
}
