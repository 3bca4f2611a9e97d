import Type from 'typebox'
import { sightOf } from '../../identity/index.ts'
import { SIGNED_TRANSACTION_BYTES_MAX } from '../../kernel/index.ts'
import { getOperationOfTransaction, type Parts, type Submitted, submitSigned } from '../../operations/index.ts'
import { type App, finishWith, id, idParams } from '../http/index.ts'
import { presentTransaction, TransactionDetail } from './operation-record.ts'

const SubmittedTransaction = Type.Object(
  {
    id: id('Transaction id.'),
    operationId: id('Operation that it belongs to.'),
    status: Type.Literal('pending', {
      description: 'Accepted and tracked; read the operation for what becomes of it.',
    }),
    txHash: Type.String({ description: 'Hash of the transaction.' }),
  },
  { $id: 'SubmittedTransaction', description: 'A submission that was accepted.' },
)

const present = ({ transactionId, operationId, txHash }: Submitted) => ({
  id: transactionId,
  operationId,
  status: 'pending' as const,
  txHash,
})

const tags = ['Transactions']

/** Transactions on v1: submit signed bytes, read (specification 4.6, decisions 6). */
export function transactionRoutes(app: App, parts: Parts): void {
  app.post(
    '/v1/transactions/submit-signed',
    {
      config: { access: { surface: 'v1', needs: 'write' }, limit: 'v1.write', idempotent: 'plain' },
      schema: {
        tags,
        operationId: 'submitSigned',
        summary: 'Submit a signed transaction',
        description:
          'The service stores the bytes, broadcasts them and tracks the transaction. Nothing but what was planned is ever broadcast: destination, call data, value, chain, nonce and signer must match; fees and gas may be raised. The same bytes again get the same answer; the same plan with fees at least 10 % higher replaces a pending one. Errors: OPERATION_NOT_FOUND, TRANSACTION_NOT_FOUND, TRANSACTION_MISMATCH, INVALID_OPERATION_STATUS, OPERATION_EXPIRED, OPERATION_ALREADY_SUBMITTED, INSUFFICIENT_GAS, SIMULATION_FAILED; CHAIN_UNAVAILABLE.',
        body: Type.Object({
          operationId: id('Operation id.'),
          signedTransaction: Type.String({
            minLength: 1,
            maxLength: SIGNED_TRANSACTION_BYTES_MAX * 2 + 2,
            description: 'EVM: hex with or without 0x, or base64. Solana: base64.',
          }),
          transactionId: Type.Optional(id('Transaction that it is; otherwise matched by content.')),
          txHash: Type.Optional(Type.String({ description: 'Checked against the bytes when given.' })),
        }),
        response: { 202: SubmittedTransaction },
      },
    },
    async (request, reply) => {
      const input = { ...request.body, sight: sightOf(request.credential) }
      return reply.code(202).send(present(await submitSigned(parts, input, finishWith(request, 202, present))))
    },
  )

  app.get(
    '/v1/transactions/:id',
    {
      config: { access: { surface: 'v1', needs: 'read' }, limit: 'v1.read' },
      schema: {
        tags,
        operationId: 'getTransaction',
        summary: 'Get a transaction',
        description: 'Error: TRANSACTION_NOT_FOUND.',
        params: idParams('Transaction id.'),
        response: { 200: TransactionDetail },
      },
    },
    async ({ params, credential }) => {
      const operation = await getOperationOfTransaction(parts, sightOf(credential), params.id)
      const transaction = operation.transactions.find(({ transactionId }) => transactionId === params.id)!
      return { ...presentTransaction(transaction), operationId: operation.operationId }
    },
  )
}
