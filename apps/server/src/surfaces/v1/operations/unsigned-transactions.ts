import Type from 'typebox'
import type { UnsignedFields } from '../../../chains/index.ts'
import { scopeOf } from '../../../identity/index.ts'
import { Failure } from '../../../kernel/index.ts'
import { chainOf, type IssuedTransaction, issueUnsignedTransactions, type Parts } from '../../../operations/index.ts'
import { type App, id, idParams } from '../../http/index.ts'
import { blockchain, dateTime, orNull } from '../schemas.ts'

const wei = (description: string) =>
  Type.String({ pattern: '^[0-9]+$', description: `${description} Decimal, in wei.` })

const EvmTransaction = Type.Object(
  {
    to: Type.String({ description: 'Address of the called contract.' }),
    data: Type.String({ description: 'Call data in hex.' }),
    value: wei('Native coins sent with the call.'),
    gasLimit: Type.String({ pattern: '^[0-9]+$', description: 'Gas limit. Decimal.' }),
    maxFeePerGas: wei('Maximum price per unit of gas.'),
    maxPriorityFeePerGas: wei('Tip per unit of gas.'),
    nonce: Type.Integer({ description: 'Nonce of the transaction.' }),
    chainId: Type.Integer({ description: 'EIP-155 chain id.' }),
  },
  {
    $id: 'EvmTransaction',
    description:
      'The fields of the unsigned bytes; the transaction type is 2 (EIP-1559). ethers accepts them unchanged; for viem convert the decimal strings to BigInt and rename gasLimit to gas.',
  },
)

const UnsignedTransaction = Type.Object(
  {
    attemptId: id('Transaction id; send it as transactionId.'),
    unsignedTransaction: Type.Object(
      { serialized: Type.String({ description: 'Bytes to sign: hex on EVM chains, base64 on Solana.' }) },
      { description: 'The transaction as bytes.' },
    ),
    evmTransaction: Type.Optional(EvmTransaction),
    blockchain,
    description: Type.String({ description: 'Human-readable description.' }),
    validUntil: orNull(
      dateTime(
        'Estimate of when these bytes go stale: on Solana when their blockhash expires, if that is before the `expiresAt` of the operation, else `expiresAt`; null if nothing expires. It refuses no submission: `expiresAt` and the chain do.',
      ),
    ),
  },
  { $id: 'UnsignedTransaction', description: 'A transaction to sign.' },
)

/** Unsigned transactions on v1 (contract 6, rule 1). */
export function unsignedTransactionRoutes(app: App, parts: Parts): void {
  app.get(
    '/v1/operations/:id/unsigned-transactions',
    {
      config: { access: { surface: 'v1', needs: 'read', permission: 'submit' }, limit: 'v1.read' },
      schema: {
        tags: ['Operations'],
        operationId: 'getUnsignedTransactions',
        summary: 'Get the unsigned transactions of an operation',
        description:
          'Returns the transactions to sign, in order: the bytes that were issued before, or new bytes with the same effect if the old ones can no longer land. If the current base fee exceeds the fee cap, the bytes get new fees. If another transaction finally used their nonce, they get a new nonce; on Solana they get a fresh blockhash once the old one has certainly expired. A later transaction whose old bytes could still land too early is omitted until its turn. Empty if everything was submitted. Errors: OPERATION_NOT_FOUND; INVALID_OPERATION_STATUS (the custody agent executes the operation, or it ended); OPERATION_EXPIRED; INSUFFICIENT_GAS; SIMULATION_FAILED; CHAIN_UNAVAILABLE, including while the block that used the nonce is not yet settled.',
        params: idParams('Operation id.'),
        querystring: Type.Object({
          discard: Type.Optional(
            Type.Boolean({
              description:
                'Your guarantee that the old bytes will not be broadcast: on Solana you then get new bytes before the old ones are dead. No effect on EVM chains, where the nonce rules out double landing. An admin key and the session of a browser cannot set it: 403 FORBIDDEN.',
            }),
          ),
        }),
        response: { 200: Type.Array(UnsignedTransaction, { description: 'Transactions in the order to sign them.' }) },
      },
    },
    async ({ params, query, credential }) => {
      // Both versions of the bytes could land: that decision belongs to a key that may move money. A browser reads
      // without a token against other sites, so a link that somebody sends could make it.
      const mayDiscard = credential.kind === 'key' && credential.scope !== 'admin'
      if (query.discard && !mayDiscard)
        throw new Failure('FORBIDDEN', { message: 'Only an API key that may write can discard issued bytes.' })
      return (await issueUnsignedTransactions(parts, scopeOf(credential), params.id, query)).map((transaction) =>
        presentUnsigned(parts, transaction),
      )
    },
  )
}

function presentUnsigned(parts: Parts, transaction: IssuedTransaction) {
  const fields = chainOf(parts, transaction.blockchain).unsignedFields(transaction.unsignedBytes)
  return {
    attemptId: transaction.transactionId,
    unsignedTransaction: { serialized: transaction.unsignedBytes },
    ...(fields ? { evmTransaction: presentFields(fields) } : {}),
    blockchain: transaction.blockchain as (typeof blockchain)['enum'][number],
    description: transaction.description,
    validUntil: transaction.validUntil?.toISOString() ?? null,
  }
}

function presentFields({ value, gasLimit, maxFeePerGas, maxPriorityFeePerGas, ...others }: UnsignedFields) {
  return {
    ...others,
    value: value.toString(),
    gasLimit: gasLimit.toString(),
    maxFeePerGas: maxFeePerGas.toString(),
    maxPriorityFeePerGas: maxPriorityFeePerGas.toString(),
  }
}
