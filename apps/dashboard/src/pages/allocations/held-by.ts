import { counted } from '../../lib/text/counted.ts'

interface Unfinished {
  readonly id: number
  readonly status: string
}

interface HeldBy {
  readonly what: string
  readonly until: string
  /** Of the page of operations: what opens it, or lists them. */
  readonly search: Readonly<Record<string, string | number>>
}

/** Which deposits hold money, and until when. `first` are the first of `total`. */
export function heldBy(first: readonly Unfinished[], total: number): HeldBy {
  const [only] = first
  const isPending = total === first.length && first.every(({ status }) => status === 'PENDING_APPROVAL')
  if (only !== undefined && total === 1)
    return {
      what: `operation ${only.id}`,
      until: isPending ? 'it is approved or rejected' : 'it has ended',
      search: { open: only.id },
    }
  return {
    what: total === 0 ? 'unfinished deposits' : counted(total, 'unfinished deposit'),
    until: isPending && total > 0 ? 'they are approved or rejected' : 'they have ended',
    search: { type: 'SUPPLY', ...(isPending && total > 0 ? { status: 'PENDING_APPROVAL' } : {}) },
  }
}
