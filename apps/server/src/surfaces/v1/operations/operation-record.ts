import Type from 'typebox'
import {
  CLIENT_STATUS,
  exitStepOf,
  hasBlock,
  hasEnded,
  hasHash,
  type Operation,
  type OperationTransaction,
  publicTypeOf,
  TRANSACTION_FAILURE_CODES,
} from '../../../operations/index.ts'
import { id } from '../../http/index.ts'
import { ExitRecord } from '../exit-record.ts'
import { baseUnits, blockchain, dateTime, orNull } from '../schemas.ts'
import { LeftAllowance } from './left-allowance.ts'

export const STATUSES = ['PENDING', 'AWAITING_SIGNATURE', 'SUBMITTED', 'CONFIRMED', 'FAILED'] as const
type Status = (typeof STATUSES)[number]
const REASONS = ['CANCELLED', 'SUPERSEDED', 'EXPIRED', 'ONCHAIN', 'SUBMISSION', 'REJECTED', 'ABORTED'] as const

/** The stored states that a v1 status covers. */
export function statesOf(status: Status): Operation['state'][] {
  return (Object.keys(CLIENT_STATUS) as Operation['state'][]).filter((state) => CLIENT_STATUS[state] === status)
}

const transactionFields = {
  id: id('Transaction id.'),
  blockchain,
  status: Type.Enum(['unsigned', 'pending', 'confirmed', 'failed'], {
    $id: 'TransactionStatus',
    description:
      'unsigned: ready to sign. pending: submitted, not yet final. confirmed: final. failed: will not land or reverted.',
  }),
  unsignedTransaction: Type.Optional(
    Type.String({ description: 'Bytes to sign: hex on EVM chains, base64 on Solana. Present only while unsigned.' }),
  ),
  description: Type.String({ description: 'Human-readable description.' }),
  txHash: Type.Optional(Type.String({ description: 'Transaction hash; present once known, even while pending.' })),
  confirmations: Type.Optional(
    Type.Integer({ description: 'Number of confirmations, counting the including block; present once in a block.' }),
  ),
  blockNumber: Type.Optional(Type.Integer({ description: 'Block that includes the transaction.' })),
  error: Type.Optional(Type.String({ description: 'Human-readable reason for the failure.' })),
  failureCode: Type.Optional(
    Type.Enum([...TRANSACTION_FAILURE_CODES], {
      $id: 'TransactionFailureCode',
      description: 'Reason for the failure on chain (spec 7.4).',
    }),
  ),
  revertReason: Type.Optional(Type.String({ description: 'Decoded revert reason of the contract.' })),
}

const TransactionRecord = Type.Object(transactionFields, {
  $id: 'OperationTransaction',
  description: 'One transaction of an operation. Sign and submit the transactions in order.',
})

export const TransactionDetail = Type.Object(
  { ...transactionFields, operationId: id('Operation id.') },
  { $id: 'Transaction', description: 'A transaction and the id of its operation.' },
)

export const OperationRecord = Type.Object(
  {
    operationId: id('Operation id.'),
    type: Type.Enum(['supply', 'unwind'], { $id: 'OperationType', description: 'Type of the operation.' }),
    status: Type.Enum([...STATUSES], { $id: 'OperationStatus', description: 'Status of the operation (spec 3.2).' }),
    transactions: Type.Array(TransactionRecord, {
      description: 'Transactions in the order to sign and submit them.',
    }),
    expiresAt: orNull(dateTime('When the operation can no longer be submitted; null if it does not expire.')),
    cancelledOperations: Type.Optional(
      Type.Array(id('Operation id.'), {
        description: 'Operations that this plan superseded; absent if there were none.',
      }),
    ),
    warnings: Type.Optional(
      Type.Array(Type.String(), {
        description:
          'Only in the response that plans a supply or a withdrawal: why Weir would not deposit there on its own initiative, such as an open circuit breaker, or the fee that the vault keeps. Absent if there is none.',
      }),
    ),
    walletId: id('Wallet id.'),
    strategyId: id('Strategy id.'),
    amount: orNull(baseUnits('Planned amount; null for a full withdrawal.')),
    // Optional: responses of earlier versions are replayed as they were.
    settledAmount: Type.Optional(
      orNull(
        baseUnits(
          'Amount that really moved, such as what a full withdrawal brought; null until the operation is confirmed.',
        ),
      ),
    ),
    revokesAllowance: Type.Optional(
      baseUnits('Only if the operation moves nothing and revokes this allowance, which an ended supply left.'),
    ),
    leftAllowance: Type.Optional(LeftAllowance),
    exitStep: Type.Optional(
      Type.Enum(['request', 'claim'], {
        description:
          'Only for strategies whose withdrawals take time. request: the operation requests the money back. claim: it claims the money.',
      }),
    ),
    exit: Type.Optional(ExitRecord),
    failureReason: Type.Optional(
      Type.Enum([...REASONS], {
        $id: 'FailureReason',
        description: 'Why the operation ended without success. Kept even if a late landing completes the operation.',
      }),
    ),
    createdAt: dateTime('When the operation was planned.'),
    updatedAt: dateTime('When the status last changed.'),
  },
  { $id: 'Operation', description: 'A supply to a strategy or a withdrawal from it.' },
)

export function presentOperation(operation: Operation) {
  const { cancelledOperations } = operation
  const failureReason = hasEnded(operation) ? operation.failureReason : null
  return {
    operationId: operation.operationId,
    type: publicTypeOf(operation.type) === 'SUPPLY' ? ('supply' as const) : ('unwind' as const),
    status: CLIENT_STATUS[operation.state],
    transactions: operation.transactions.map(presentTransaction),
    expiresAt: operation.expiresAt?.toISOString() ?? null,
    ...(cancelledOperations.length > 0 ? { cancelledOperations: [...cancelledOperations] } : {}),
    walletId: operation.walletId,
    strategyId: operation.strategyId,
    ...(operation.type === 'REVOKE'
      ? { amount: '0', revokesAllowance: String(operation.amount) }
      : { amount: operation.amount?.toString() ?? null }),
    settledAmount: operation.state === 'COMPLETED' ? (operation.settledAmount?.toString() ?? null) : null,
    ...presentExitStep(operation),
    ...(failureReason === null ? {} : { failureReason }),
    createdAt: operation.createdAt.toISOString(),
    updatedAt: operation.updatedAt.toISOString(),
  }
}

/** Absent where withdrawals pay at once. */
function presentExitStep(operation: Operation) {
  const exitStep = exitStepOf(operation)
  return exitStep && { exitStep }
}

type PublicFailureCode = (typeof transactionFields.failureCode)['enum'][number]

export function presentTransaction(transaction: OperationTransaction) {
  return {
    id: transaction.transactionId,
    blockchain: transaction.blockchain as (typeof blockchain)['enum'][number],
    status: transaction.status,
    ...(transaction.state === 'issued' || transaction.state === 'stale'
      ? { unsignedTransaction: transaction.unsignedBytes }
      : {}),
    description: transaction.description,
    ...(hasHash(transaction) ? { txHash: transaction.txHash } : {}),
    ...(hasBlock(transaction) ? presentBlock(transaction) : {}),
    ...(transaction.status === 'failed' ? presentFailure(transaction) : {}),
  }
}

function presentBlock({ blockNumber, confirmations }: { blockNumber: number; confirmations: number | null }) {
  return confirmations === null ? {} : { blockNumber, confirmations }
}

function presentFailure(transaction: Extract<OperationTransaction, { status: 'failed' }>) {
  const { error, failureCode } = transaction
  const revertReason = transaction.state === 'reverted' ? transaction.revertReason : null
  return {
    error,
    ...(failureCode === null ? {} : { failureCode: failureCode as PublicFailureCode }),
    ...(revertReason === null ? {} : { revertReason }),
  }
}
