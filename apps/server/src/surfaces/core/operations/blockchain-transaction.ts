import Type from 'typebox'
import { hasBlock, isFinal, type OperationTransaction, type SentTransaction } from '../../../operations/index.ts'
import { id } from '../../http/index.ts'
import { Amount, DualTime, dualTime, dualTimeOrNull, orNull } from '../formats.ts'

const TRANSACTION_TYPES = {
  approve_reset: 'APPROVE',
  approve: 'APPROVE',
  revoke: 'APPROVE',
  supply: 'SUPPLY',
  unwind: 'UNWIND',
  exit_request: 'UNWIND',
  exit_claim: 'UNWIND',
} as const satisfies Record<OperationTransaction['kind'], string>
const TRANSACTION_STATUSES = {
  unsigned: 'PENDING',
  pending: 'PENDING',
  confirmed: 'CONFIRMED',
  failed: 'FAILED',
} as const satisfies Record<OperationTransaction['status'], string>

export const BlockchainTransaction = Type.Object(
  {
    id: id('Transaction id.'),
    txHash: Type.String({ description: 'Transaction hash, even while pending.' }),
    type: Type.Enum(['APPROVE', 'SUPPLY', 'UNWIND'], { description: 'What the transaction does.' }),
    status: Type.Enum(['PENDING', 'CONFIRMED', 'FAILED'], { description: 'CONFIRMED: final on the chain.' }),
    amount: Amount,
    blockNumber: Type.Optional(
      Type.Integer({ description: 'The block that includes it, or did before a reorganization; absent if none has.' }),
    ),
    timestamps: Type.Object(
      {
        submittedAt: Type.Optional(DualTime),
        detectedAt: orNull(DualTime, 'When the transaction was first seen on the network; null until then.'),
        confirmedAt: orNull(DualTime, 'When the transaction became final; null until then.'),
      },
      { description: 'submittedAt: when the signed transaction was submitted; absent if never.' },
    ),
  },
  { $id: 'BlockchainTransaction', description: 'A submitted transaction.' },
)

export function presentBlockchainTransaction(transaction: SentTransaction) {
  const { transactionId, kind, status, firstSeenAt } = transaction
  const finalizedAt = isFinal(transaction) ? transaction.finalizedAt : null
  return {
    id: transactionId,
    type: TRANSACTION_TYPES[kind],
    status: TRANSACTION_STATUSES[status],
    ...(hasBlock(transaction) && { blockNumber: transaction.blockNumber }),
    timestamps: {
      ...(transaction.submittedAt !== null && { submittedAt: dualTime(transaction.submittedAt) }),
      detectedAt: dualTimeOrNull(firstSeenAt ?? finalizedAt),
      confirmedAt: dualTimeOrNull(finalizedAt),
    },
  }
}
