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
import { type App, auditedActorOf, id, idParams, runVerb } from '../../http/index.ts'
import { presentTransaction, TransactionDetail } from './operation-record.ts'
import { withRefreshUrl } from './with-refresh-url.ts'

const SubmittedTransaction = Type.Object(
  {
    id: id('Transaction id.'),
    operationId: id('Operation id.'),
    status: Type.Literal('pending', {
      description:
        'The transaction was accepted and is tracked. Submitting the same hash again returns the first result, even after the transaction is final: read the operation for its status.',
    }),
    txHash: Type.String({ description: 'Hash of the transaction.' }),
  },
  { $id: 'SubmittedTransaction', description: 'An accepted submission.' },
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
  { $id: 'RecoveredTransaction', description: 'A hash linked to its transaction.' },
)

const presentRecovered = ({ transactionId, txHash }: SubmissionResult) => ({
  success: true as const,
  transactionId,
  txHash,
})

const txHash = Type.String({ description: 'Hash of the transaction on its chain. EVM: 0x and 64 hex digits.' })

const tags = ['Transactions']
const writes = {
  access: { surface: 'v1', needs: 'write', permission: 'submit' },
  limit: 'v1.write',
  idempotent: 'plain',
} as const

/** Transactions on v1: submit signed bytes or a hash, recover, read (spec 4.6, contract 6). */
export function transactionRoutes(app: App, parts: Parts, publicUrl: string): void {
  app.post(
    '/v1/transactions/submit-signed',
    {
      config: { ...writes, audit: { byVerb: true } },
      schema: {
        tags,
        operationId: 'submitSigned',
        summary: 'Submit a signed transaction',
        description:
          'Stores the bytes, broadcasts them and tracks the transaction. The bytes must match the plan: on EVM chains destination, call data, value, chain, nonce and signer; on Solana instructions, blockhash and signer. Only fees and gas may be higher. Submitting the same bytes again returns the same response; the same transaction with fees at least 10% higher replaces a pending one. Errors: OPERATION_NOT_FOUND, TRANSACTION_NOT_FOUND, TRANSACTION_MISMATCH, INVALID_OPERATION_STATUS, OPERATION_EXPIRED (with `details.refresh`, the URL of new bytes, if the nonce was used), OPERATION_ALREADY_SUBMITTED; INSUFFICIENT_GAS and SIMULATION_FAILED if no node accepts the bytes, for example because of their fee (`details.reason`), in which case nothing was submitted; CHAIN_UNAVAILABLE.',
        body: Type.Object({
          operationId: id('Operation id.'),
          signedTransaction: Type.String({
            minLength: 1,
            maxLength: SIGNED_TRANSACTION_BYTES_MAX * 2 + 2,
            description: 'EVM: hex with or without 0x, or base64. Solana: base64.',
          }),
          transactionId: Type.Optional(id('Transaction id. By default the transaction is matched by content.')),
          txHash: Type.Optional(Type.String({ description: 'Hash to check against the bytes.' })),
        }),
        response: { 202: SubmittedTransaction },
      },
    },
    async (request, reply) => {
      const audited = { by: auditedActorOf(request), objectType: 'operation' } as const
      const input = { ...request.body, scope: scopeOf(request.credential), audited }
      return runVerb(reply, 202, present, (transact) =>
        withRefreshUrl(publicUrl, () => submitSigned(parts, input, transact)),
      )
    },
  )

  app.post(
    '/v1/transactions/submit-hash',
    {
      config: { ...writes, audit: { object: 'operation', id: 'body.operationId' } },
      schema: {
        tags,
        operationId: 'submitHash',
        summary: 'Submit the hash of a transaction that you broadcast',
        description:
          'For clients that broadcast transactions themselves. Weir tracks the transaction. If the chain knows the hash, it is compared with the plan at once. If not, it is accepted; if it later turns out to be a different transaction, the transaction fails with TRANSACTION_MISMATCH in `error`. Submitting the same hash again returns the same response. Once the operation has ended, a hash is accepted only if the chain has the transaction; the operation then completes when the transaction is final. Errors, in this order: OPERATION_NOT_FOUND; INVALID_OPERATION_STATUS (the custody agent executes it); VALIDATION_ERROR; OPERATION_ALREADY_SUBMITTED (the hash is linked to another transaction); TRANSACTION_NOT_FOUND (`transactionId` does not belong to this operation); OPERATION_ALREADY_SUBMITTED (nothing is left to submit); OPERATION_EXPIRED or INVALID_OPERATION_STATUS (the operation ended); TRANSACTION_MISMATCH; INVALID_OPERATION_STATUS (an earlier transaction comes first); CHAIN_UNAVAILABLE.',
        body: Type.Object({
          operationId: id('Operation id.'),
          txHash,
          transactionId: Type.Optional(
            id('Transaction id. By default matched by content, or the first unsubmitted transaction.'),
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
      config: { ...writes, audit: { object: 'operation', id: 'params.operationId' } },
      schema: {
        tags,
        operationId: 'recoverTransaction',
        summary: 'Link a transaction that was broadcast but never reported',
        description:
          'Use it if your client crashed between broadcasting and reporting. It also works for an operation that expired, was cancelled or was superseded: the operation completes when the transaction is final. A hash that is linked to the operation already returns 200 whatever its status. Errors, in this order: OPERATION_NOT_FOUND; INVALID_OPERATION_STATUS (the custody agent executes it); VALIDATION_ERROR; OPERATION_ALREADY_SUBMITTED (the hash is linked to another transaction); TRANSACTION_NOT_FOUND (`transactionId` does not belong to this operation); INVALID_OPERATION_STATUS (the operation is confirmed, or all its transactions were submitted, with other hashes); TRANSACTION_NOT_FOUND (the transaction on chain does not belong to the operation); CHAIN_UNAVAILABLE.',
        params: Type.Object({ operationId: id('Operation id.') }),
        body: Type.Object({
          txHash,
          transactionId: Type.Optional(
            id('Transaction id. By default matched by content, or the first unsubmitted transaction.'),
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
      config: { access: { surface: 'v1', needs: 'read', permission: 'read' }, limit: 'v1.read' },
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
