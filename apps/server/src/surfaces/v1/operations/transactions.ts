import Type from 'typebox'
import { scopeOf } from '../../../identity/index.ts'
import { SIGNED_TRANSACTION_BYTES_MAX } from '../../../kernel/index.ts'
import {
  getOperationOfTransaction,
  type Parts,
  recoverTransaction,
  type SubmissionResult,
  submitHash,
  submitSigned,
} from '../../../operations/index.ts'
import { type App, id, idParams, runVerb } from '../../http/index.ts'
import { presentTransaction, TransactionDetail } from './operation-record.ts'
import { withRefreshUrl } from './with-refresh-url.ts'

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

const present = ({ transactionId, operationId, txHash }: SubmissionResult) => ({
  id: transactionId,
  operationId,
  status: 'pending' as const,
  txHash,
})

const RecoveredTransaction = Type.Object(
  {
    success: Type.Literal(true, { description: 'Always true.' }),
    transactionId: id('Transaction that the hash is linked to.'),
    txHash: Type.String({ description: 'Hash of the transaction.' }),
  },
  { $id: 'RecoveredTransaction', description: 'A hash that was linked to its transaction.' },
)

const presentRecovered = ({ transactionId, txHash }: SubmissionResult) => ({
  success: true as const,
  transactionId,
  txHash,
})

const txHash = Type.String({ description: 'Hash of the transaction on its chain. EVM: 0x and 64 hex digits.' })

const tags = ['Transactions']
const writes = { access: { surface: 'v1', needs: 'write' }, limit: 'v1.write', idempotent: 'plain' } as const

/** Transactions on v1: submit signed bytes or a hash, recover, read (spec 4.6, contract 6). */
export function transactionRoutes(app: App, parts: Parts, publicUrl: string): void {
  app.post(
    '/v1/transactions/submit-signed',
    {
      config: writes,
      schema: {
        tags,
        operationId: 'submitSigned',
        summary: 'Submit a signed transaction',
        description:
          'The service stores the bytes, broadcasts them and tracks the transaction. Nothing but what was planned is ever broadcast: destination, call data, value, chain, nonce and signer must match, on Solana instructions, blockhash and signer; fees and gas may be raised. The same bytes again get the same answer; the same plan with fees at least 10 % higher replaces a pending one. Errors: OPERATION_NOT_FOUND, TRANSACTION_NOT_FOUND, TRANSACTION_MISMATCH, INVALID_OPERATION_STATUS, OPERATION_EXPIRED (with `details.refresh`, the address of new bytes, when the nonce of these was used), OPERATION_ALREADY_SUBMITTED; INSUFFICIENT_GAS and SIMULATION_FAILED when no node takes the bytes, for their fee, for example (`details.reason`): nothing was submitted then; CHAIN_UNAVAILABLE.',
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
      const input = { ...request.body, scope: scopeOf(request.credential) }
      return runVerb(reply, 202, present, (transact) =>
        withRefreshUrl(publicUrl, () => submitSigned(parts, input, transact)),
      )
    },
  )

  app.post(
    '/v1/transactions/submit-hash',
    {
      config: writes,
      schema: {
        tags,
        operationId: 'submitHash',
        summary: 'Submit the hash of a transaction that you broadcast',
        description:
          'For clients that broadcast themselves; the service tracks the transaction. A hash that the chain knows is compared with the plan at once. One that it does not know yet is accepted; when it turns out to be another transaction, the transaction fails with TRANSACTION_MISMATCH in `error`. The same hash again gets the same answer. When the operation has ended, it is accepted only if the chain has the transaction; the operation then completes when that is final. Errors, in this order: OPERATION_NOT_FOUND; INVALID_OPERATION_STATUS (the custody agent carries it out); VALIDATION_ERROR; OPERATION_ALREADY_SUBMITTED (the hash stands for another transaction); TRANSACTION_NOT_FOUND (`transactionId` is not of this operation); OPERATION_ALREADY_SUBMITTED (nothing is left to be submitted); OPERATION_EXPIRED or INVALID_OPERATION_STATUS (it ended); TRANSACTION_MISMATCH; INVALID_OPERATION_STATUS (an earlier transaction comes first); CHAIN_UNAVAILABLE.',
        body: Type.Object({
          operationId: id('Operation id.'),
          txHash,
          transactionId: Type.Optional(
            id('Transaction that it is; otherwise matched by content, or the first that was never submitted.'),
          ),
        }),
        response: { 202: SubmittedTransaction },
      },
    },
    async (request, reply) => {
      const input = { ...request.body, scope: scopeOf(request.credential) }
      return runVerb(reply, 202, present, (transact) =>
        withRefreshUrl(publicUrl, () => submitHash(parts, input, transact)),
      )
    },
  )

  app.post(
    '/v1/transactions/:operationId/recover',
    {
      config: writes,
      schema: {
        tags,
        operationId: 'recoverTransaction',
        summary: 'Link a transaction that was broadcast but never reported',
        description:
          'For the case that your client crashed between broadcasting and reporting. Works also on an operation that expired, was cancelled or superseded: it completes when the transaction is final. Errors, in this order: OPERATION_NOT_FOUND; INVALID_OPERATION_STATUS (the custody agent carries it out); VALIDATION_ERROR; OPERATION_ALREADY_SUBMITTED (the hash stands for another transaction); TRANSACTION_NOT_FOUND (`transactionId` is not of this operation); INVALID_OPERATION_STATUS (it is confirmed, or each of its transactions was submitted); TRANSACTION_NOT_FOUND (the chain shows a transaction that is none of the operation); CHAIN_UNAVAILABLE.',
        params: Type.Object({ operationId: id('Operation id.') }),
        body: Type.Object({
          txHash,
          transactionId: Type.Optional(
            id('Target transaction; otherwise matched by content, or the first that was never submitted.'),
          ),
        }),
        response: { 200: RecoveredTransaction },
      },
    },
    async (request, reply) => {
      const { operationId } = request.params
      const input = { ...request.body, operationId, scope: scopeOf(request.credential) }
      return runVerb(reply, 200, presentRecovered, (transact) =>
        withRefreshUrl(publicUrl, () => recoverTransaction(parts, input, transact)),
      )
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
      const operation = await getOperationOfTransaction(parts, scopeOf(credential), params.id)
      const transaction = operation.transactions.find(({ transactionId }) => transactionId === params.id)!
      return { ...presentTransaction(transaction), operationId: operation.operationId }
    },
  )
}
