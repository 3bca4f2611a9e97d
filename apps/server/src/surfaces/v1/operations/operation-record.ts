import Type from 'typebox'
import type { FailureReason, Operation, OperationTransaction } from '../../../operations/index.ts'
import { id } from '../../http/index.ts'
import { baseUnits, blockchain, dateTime, orNull } from '../schemas.ts'

/** v1's words for the stored states (contract 8). */
const STATUS = {
  PLANNING: 'PENDING',
  PENDING_APPROVAL: 'PENDING',
  EXECUTING: 'AWAITING_SIGNATURE',
  CONFIRMING: 'SUBMITTED',
  COMPLETED: 'CONFIRMED',
  FAILED: 'FAILED',
  REJECTED: 'FAILED',
  ABORTED: 'FAILED',
} as const satisfies Record<Operation['state'], string>

export const STATUSES = ['PENDING', 'AWAITING_SIGNATURE', 'SUBMITTED', 'CONFIRMED', 'FAILED'] as const
type Status = (typeof STATUSES)[number]
const REASONS = ['CANCELLED', 'SUPERSEDED', 'EXPIRED', 'ONCHAIN', 'SUBMISSION', 'REJECTED', 'ABORTED'] as const

/** The stored states that a v1 status covers. */
export function statesOf(status: Status): Operation['state'][] {
  return (Object.keys(STATUS) as Operation['state'][]).filter((state) => STATUS[state] === status)
}

const transactionFields = {
  id: id('Transaction id.'),
  blockchain,
  status: Type.Enum(['unsigned', 'pending', 'confirmed', 'failed'], {
    description: 'unsigned: waits for your signature; pending: submitted, not final; confirmed: final.',
  }),
  unsignedTransaction: Type.Optional(
    Type.String({ description: 'Bytes to sign: hex on EVM chains, base64 on Solana. Only while unsigned.' }),
  ),
  description: Type.String({ description: 'What it does, for people.' }),
  txHash: Type.Optional(Type.String({ description: 'As soon as it is known, also while pending.' })),
  confirmations: Type.Optional(
    Type.Integer({ description: 'Blocks on top, the including one counted; once it is in a block.' }),
  ),
  blockNumber: Type.Optional(Type.Integer({ description: 'Block that includes it.' })),
  error: Type.Optional(Type.String({ description: 'Why it failed, for people.' })),
  failureCode: Type.Optional(
    Type.Enum(
      ['REVERTED', 'OUT_OF_GAS', 'TIMEOUT', 'NONCE_TOO_LOW', 'INSUFFICIENT_FUNDS', 'REPLACED', 'DROPPED', 'UNKNOWN'],
      { description: 'Why it failed on chain (spec 7.4).' },
    ),
  ),
  revertReason: Type.Optional(Type.String({ description: 'The decoded reason of the contract.' })),
}

const TransactionRecord = Type.Object(transactionFields, {
  $id: 'OperationTransaction',
  description: 'One transaction of an operation. They are signed and submitted in order.',
})

export const TransactionDetail = Type.Object(
  { ...transactionFields, operationId: id('Operation that it belongs to.') },
  { $id: 'Transaction', description: 'A transaction, as in its operation.' },
)

export const OperationRecord = Type.Object(
  {
    operationId: id('Operation id.'),
    type: Type.Enum(['supply', 'unwind'], { description: 'What it does.' }),
    status: Type.Enum([...STATUSES], { description: 'State (spec 3.2).' }),
    transactions: Type.Array(TransactionRecord, {
      description: 'In the order in which they are signed and submitted.',
    }),
    expiresAt: orNull(dateTime('Until when it can be submitted.')),
    cancelledOperations: Type.Optional(
      Type.Array(id('Operation id.'), {
        description: 'Operations that this plan superseded; only when there were any.',
      }),
    ),
    walletId: id('Wallet.'),
    strategyId: id('Strategy.'),
    amount: orNull(baseUnits('Amount planned; null for a full withdrawal.')),
    failureReason: Type.Optional(
      Type.Enum([...REASONS], {
        description: 'Why it ended without success. It stays readable when a late transaction completes it after all.',
      }),
    ),
    createdAt: dateTime('When it was planned.'),
    updatedAt: dateTime('When its state last changed.'),
  },
  { $id: 'Operation', description: 'A supply to a strategy or a withdrawal from it.' },
)

export function presentOperation(operation: Operation) {
  const { cancelledOperations, failureReason } = operation
  return {
    operationId: operation.operationId,
    type: operation.type === 'SUPPLY' ? ('supply' as const) : ('unwind' as const),
    status: STATUS[operation.state],
    transactions: operation.transactions.map(presentTransaction),
    expiresAt: operation.expiresAt?.toISOString() ?? null,
    ...(cancelledOperations.length > 0 ? { cancelledOperations: [...cancelledOperations] } : {}),
    walletId: operation.walletId,
    strategyId: operation.strategyId,
    amount: operation.amount?.toString() ?? null,
    ...(failureReason === null ? {} : { failureReason: failureReason as FailureReason }),
    createdAt: operation.createdAt.toISOString(),
    updatedAt: operation.updatedAt.toISOString(),
  }
}

type FailureCode = (typeof transactionFields.failureCode)['enum'][number]

export function presentTransaction(transaction: OperationTransaction) {
  const { state, txHash, blockNumber, confirmations, error, failureCode, revertReason } = transaction
  const included = blockNumber !== null && confirmations !== null
  return {
    id: transaction.transactionId,
    blockchain: transaction.blockchain as (typeof blockchain)['enum'][number],
    status: state,
    ...(state === 'unsigned' && transaction.unsignedBytes !== ''
      ? { unsignedTransaction: transaction.unsignedBytes }
      : {}),
    description: transaction.description,
    ...(txHash === null ? {} : { txHash }),
    ...(included ? { blockNumber, confirmations } : {}),
    ...(error === null ? {} : { error }),
    ...(failureCode === null ? {} : { failureCode: failureCode as FailureCode }),
    ...(revertReason === null ? {} : { revertReason }),
  }
}
