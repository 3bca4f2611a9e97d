import { ApiError, type DataOf, type Weir } from '../../sdk/src/index.ts'
import type { Remarks } from './results.ts'

type Operation = DataOf<'getOperation'>
type Detail = DataOf<'getCoreOperation'>

export interface Explained {
  readonly remarks: Remarks
  readonly data: unknown
}

/** Reads an operation on both surfaces, as far as the key may, and says what it waits for. Errors: OPERATION_NOT_FOUND. */
export async function explainOperation(weir: Weir, operationId: number): Promise<Explained> {
  const operation = await weir.v1.operations.get(operationId)
  const detail = await unlessForbidden(weir.core.operations.get(operationId))
  return {
    remarks: {
      operationId,
      status: operation.status,
      waitsFor: waitsFor(operation, detail),
      ...(operation.failureReason && { meaningOfFailure: FAILURES[operation.failureReason] }),
      timeline: timelineOf(operation, detail),
      documents: ['operations', ...(operation.status === 'PENDING' ? ['approvals'] : [])],
      ...(detail === undefined && {
        note: 'Steps, reasons and approvals are on the core surface, which this key may not read.',
      }),
    },
    data: { operation, ...(detail && { detail: withoutCalls(detail) }) },
  }
}

/** Call data is for the person who approves and the program that signs; in a conversation it is only noise. */
const withoutCalls = ({ steps, ...detail }: Detail) => ({
  ...detail,
  steps: steps.map(({ calls: _, ...step }) => step),
})

/** Sentences of this server; the service's own texts stay in the data. */
export function waitsFor(
  operation: Pick<Operation, 'status' | 'transactions'>,
  detail: Pick<Detail, 'status' | 'executor' | 'requiredApprovals' | 'pausedBecause'> | undefined,
): string {
  switch (operation.status) {
    case 'PENDING':
      return detail && detail.requiredApprovals > 0
        ? `People: ${detail.requiredApprovals} of them must approve it in the dashboard. An assistant cannot.`
        : 'People, who approve it in the dashboard, or the end of its planning. An assistant cannot approve it.'
    case 'AWAITING_SIGNATURE':
      if (detail?.executor !== 'agent')
        return 'The holder of the key of the wallet: its program signs the transactions and submits them before expiresAt.'
      return detail.pausedBecause === null
        ? 'The custody agent: it leases, verifies and signs the transactions.'
        : 'What pausedBecause names; the custody agent gets the transaction after that.'
    case 'SUBMITTED':
      return 'The chain: a transaction is sent and not yet final.'
    case 'CONFIRMED':
      return 'Nothing: it is final.'
    case 'FAILED':
      return operation.transactions.some(
        ({ txHash, failureCode }) => txHash && failureCode && MAY_LAND.has(failureCode),
      )
        ? 'Nothing; a transaction that was sent may still land late, and the operation would then become CONFIRMED. A new plan of the same move could land beside it.'
        : 'Nothing: it ended without effect.'
  }
}

/** Weir stopped waiting for such a transaction; it is not known to be dead. */
const MAY_LAND: ReadonlySet<string> = new Set(['DROPPED', 'TIMEOUT'])

const FAILURES: Readonly<Record<NonNullable<Operation['failureReason']>, string>> = {
  CANCELLED: 'The client cancelled it.',
  SUPERSEDED: 'A newer plan of the same wallet replaced it.',
  EXPIRED: 'Nobody signed and submitted it in time.',
  ONCHAIN: 'A transaction reverted, was dropped or was replaced; its failureCode says which.',
  SUBMISSION: 'The custody agent or the service could not send a transaction.',
  REJECTED: 'A person or the approval policy rejected it.',
  ABORTED: 'Weir stopped it before anything was sent, because the plan was no longer valid.',
}

interface Moment {
  readonly at: string
  readonly what: string
}

function timelineOf(operation: Operation, detail: Detail | undefined): readonly Moment[] {
  const moments: Moment[] = [{ at: operation.createdAt, what: 'planned' }]
  const add = (time: { readonly iso: string } | null, what: string) => {
    if (time) moments.push({ at: time.iso, what })
  }
  if (detail) {
    const { approvedAt, rejectedAt, completedAt } = detail.timestamps
    add(approvedAt, 'approved')
    add(rejectedAt, 'rejected')
    for (const { id, type, timestamps } of detail.blockchainTransactions) {
      add(timestamps.detectedAt, `transaction ${id} (${type}) seen on the network`)
      add(timestamps.confirmedAt, `transaction ${id} (${type}) final`)
    }
    add(completedAt, `ended as ${detail.status}`)
  } else if (operation.updatedAt !== operation.createdAt)
    moments.push({ at: operation.updatedAt, what: `became ${operation.status}` })
  return moments.sort((a, b) => a.at.localeCompare(b.at))
}

/** Undefined if the key has no access to the surface. */
async function unlessForbidden<T>(request: Promise<T>): Promise<T | undefined> {
  try {
    return await request
  } catch (error) {
    if (error instanceof ApiError && (error.status === 403 || error.status === 401)) return undefined
    throw error
  }
}
