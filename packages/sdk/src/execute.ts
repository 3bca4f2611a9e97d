import { ApiError, ConnectionError, WeirError } from './api-error.ts'
import type { components } from './generated/openapi.ts'
import type { V1_OPERATIONS } from './generated/v1-operations.ts'
import type { Resources } from './resources.ts'
import type { V1_NAMES } from './v1-names.ts'
import { wait } from './wait.ts'

export type Operation = components['schemas']['Operation']
type Unsigned = components['schemas']['UnsignedTransaction']

/** What a signer gets: the bytes as the service issued them, and what they are for. */
export interface TransactionToSign {
  /** Hex on EVM chains, base64 on Solana. */
  readonly bytes: string
  readonly blockchain: Unsigned['blockchain']
  readonly transactionId: number
  /** Human-readable; the bytes decide. */
  readonly description: string
}

/** Signs with one wallet's key. The key never leaves it. */
export interface Signer {
  /** The signed bytes: hex on EVM chains, base64 on Solana. Must change nothing but fees. */
  sign(transaction: TransactionToSign): Promise<string>
}

export interface ExecuteOptions {
  readonly signal?: AbortSignal
  /** Called before each signature. Throw to refuse: nothing is signed, and the operation expires. */
  readonly review?: (transaction: TransactionToSign) => void | Promise<void>
  /** Called with the operation whenever it was read. */
  readonly progress?: (operation: Operation) => void
  /** How long the service, once it answered, may be away before its error is thrown; 10 minutes by default. */
  readonly patienceMs?: number
}

/**
 * The operation ended without effect; `operation.failureReason` and its transactions say why. `requestId` is that of the
 * response with this operation.
 */
export class OperationFailedError extends WeirError {
  readonly operation: Operation

  constructor(operation: Operation, requestId: string) {
    const error = operation.transactions.find(({ status }) => status === 'failed')?.error
    const reason = operation.failureReason ?? 'FAILED'
    super(`Operation ${operation.operationId} failed: ${reason}${error ? `: ${error}` : ''}`, requestId)
    this.operation = operation
  }
}

type V1 = Pick<Resources<typeof V1_NAMES, typeof V1_OPERATIONS>, 'operations' | 'transactions'>

const FIRST_WAIT_MS = 400
const LONGEST_WAIT_MS = 5_000
/** New bytes replace stale ones; a transaction that goes stale this often has another cause. */
const ROUNDS_MAX = 10
const PATIENCE_MS = 600_000
/** What the service says where new bytes pay enough. */
const UNDERPRICED = 'the fee is too low'

/**
 * Signs the transactions of a plan in order, submits them, and waits until the operation is final. Returns the confirmed
 * operation. May be called again for the same plan, after a crash as well: the service knows which transactions were
 * submitted, and issues the same bytes until they can no longer land, so nothing happens twice. Reads are repeated while
 * the service is away, and while dead bytes are not settled.
 *
 * Throws OperationFailedError, the error of the signer or of `review`, and the errors of the service.
 */
export async function execute(
  { operations, transactions }: V1,
  { operationId }: Pick<Operation, 'operationId'>,
  signer: Signer,
  { signal, review, progress, patienceMs = PATIENCE_MS }: ExecuteOptions = {},
): Promise<Operation> {
  const options = signal ? { signal } : {}
  let waitMs = FIRST_WAIT_MS
  let rounds = 0
  let reachedAt = Number.NEGATIVE_INFINITY
  for (;;) {
    const found = await unlessAway(operations.get(operationId, options).withResponse(), () => {
      return performance.now() - reachedAt < patienceMs
    })
    if (found !== undefined) {
      reachedAt = performance.now()
      const { data: operation, requestId } = found
      progress?.(operation)
      if (operation.status === 'CONFIRMED') return operation
      if (operation.status === 'FAILED') throw new OperationFailedError(operation, requestId)
      if (operation.status === 'AWAITING_SIGNATURE' && rounds < ROUNDS_MAX && (await submitAll()) > 0) {
        rounds += 1
        waitMs = FIRST_WAIT_MS
        continue
      }
    }
    await wait(waitMs, signal)
    waitMs = Math.min(waitMs * 1.5, LONGEST_WAIT_MS)
  }

  /**
   * Signs and submits what can be signed now; returns how many were submitted or turned out to need new bytes, and 0 where
   * these take a while.
   */
  async function submitAll(): Promise<number> {
    const unsigned = await unlessAway(unlessMoot(operations.unsignedTransactions(operationId, {}, options)))
    let count = 0
    for (const { attemptId, unsignedTransaction, blockchain, description } of unsigned ?? []) {
      const transaction = { bytes: unsignedTransaction.serialized, blockchain, transactionId: attemptId, description }
      await review?.(transaction)
      const signedTransaction = await signer.sign(transaction)
      count += 1
      const input = { operationId, transactionId: attemptId, signedTransaction }
      try {
        if ((await unlessMoot(transactions.submitSigned(input, options))) === undefined) break
      } catch (error) {
        if (!(error instanceof ApiError) || error.details.reason !== UNDERPRICED) throw error
        rounds += 1
        if (rounds === ROUNDS_MAX) throw error
        return 0
      }
    }
    return count
  }

  /**
   * Undefined if meanwhile the operation went on or ended without this caller, or its bytes went stale: the next reading
   * shows which. An operation may end between two submissions, for example because the first transaction reverted.
   */
  async function unlessMoot<T>(request: Promise<T>): Promise<T | undefined> {
    try {
      return await request
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (['OPERATION_EXPIRED', 'OPERATION_ALREADY_SUBMITTED'].includes(error.code)) return undefined
      if (error.code !== 'INVALID_OPERATION_STATUS') throw error
      const { status } = await operations.get(operationId, options)
      if (status === 'CONFIRMED' || status === 'FAILED') return undefined
      throw error
    }
  }
}

/** Undefined if the service, or what it needs, is away; `mayWait` decides whether that may last. */
async function unlessAway<T>(read: Promise<T>, mayWait = () => true): Promise<T | undefined> {
  try {
    return await read
  } catch (error) {
    const isAway =
      error instanceof ConnectionError || (error instanceof ApiError && [502, 503, 504].includes(error.status))
    if (isAway && mayWait()) return undefined
    throw error
  }
}
