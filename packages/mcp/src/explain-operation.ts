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
export const withoutCalls = ({ steps, ...detail }: Detail) => ({
  ...detail,
  steps: steps.map(({ calls: _, ...step }) => step),
})

/** Sentences of this server; the service's own texts stay in the data. */
export function waitsFor(
  operation: Pick<Operation, 'status' | 'transactions' | 'failureReason' | 'leftAllowance'>,
  detail: Pick<Detail, 'status' | 'executor' | 'requiredApprovals' | 'pausedBecause' | 'timestamps'> | undefined,
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
      return whatIsLeft(operation, Boolean(detail?.requiredApprovals) && detail?.timestamps.approvedAt === null)
  }
}

/** What a failed operation can still do: bytes that somebody holds, and an allowance. */
function whatIsLeft(
  { transactions, failureReason, leftAllowance }: Parameters<typeof waitsFor>[0],
  wasNeverApproved: boolean,
): string {
  const wasIssued = failureReason !== 'REJECTED' && !wasNeverApproved
  const mayLand = wasIssued && transactions.some(isMaybeAlive)
  const left = [
    ...(mayLand
      ? [
          'a transaction that was sent, or whose bytes somebody holds, may still land, unless its nonce is used or its blockhash has expired. The operation would then become CONFIRMED, and a new plan of the same move could land beside it.',
        ]
      : []),
    ...(leftAllowance
      ? [
          'its token approval is final, so the contract of the strategy may still take leftAllowance. The next supply to the strategy uses it up; revoking the allowance takes it back.',
        ]
      : []),
    ...(!leftAllowance && transactions.some(({ status }) => status === 'confirmed')
      ? [
          'an earlier transaction of it, such as its token approval, is final. leftAllowance would say what the contract may still take; it is absent while another operation of the wallet is unfinished or the chain does not respond.',
        ]
      : []),
  ]
  return left.length === 0 ? 'Nothing: it ended without effect.' : `Nothing; but ${left.join(' Also, ')}`
}

/** Only these codes say that none of the bytes can land. A cancelled or expired transaction has no code. */
const isMaybeAlive = ({ status, failureCode }: Operation['transactions'][number]): boolean =>
  status === 'failed' && !(failureCode && DEAD.has(failureCode))

const DEAD: ReadonlySet<string> = new Set(['REVERTED', 'OUT_OF_GAS', 'REPLACED', 'NONCE_TOO_LOW'])

const FAILURES: Readonly<Record<NonNullable<Operation['failureReason']>, string>> = {
  CANCELLED: 'The client cancelled it.',
  SUPERSEDED: 'A newer plan of the same wallet replaced it.',
  EXPIRED: 'Nobody signed and submitted it in time.',
  ONCHAIN: 'A transaction reverted, was dropped or was replaced; its failureCode says which.',
  SUBMISSION: 'The custody agent or the service could not send a transaction.',
  REJECTED: 'A person or the approval policy rejected it.',
  ABORTED: 'Weir stopped it, because the plan was no longer valid, or nobody approved or leased it in time.',
}

interface Moment {
  readonly at: string
  readonly what: string
}

/** Exported for its test. */
export function timelineOf(operation: Operation, detail: Detail | undefined): readonly Moment[] {
  const moments: Moment[] = [{ at: operation.createdAt, what: 'planned' }]
  const add = (time: { readonly iso: string } | null, what: string) => {
    if (time) moments.push({ at: time.iso, what })
  }
  if (detail) {
    const { approvedAt, rejectedAt, completedAt } = detail.timestamps
    add(approvedAt, 'approved')
    add(rejectedAt, 'rejected')
    for (const { id, type, status, timestamps } of detail.blockchainTransactions) {
      add(timestamps.detectedAt, `transaction ${id} (${type}) seen on the network`)
      add(timestamps.confirmedAt, `transaction ${id} (${type}) final${status === 'FAILED' ? ', and reverted' : ''}`)
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
