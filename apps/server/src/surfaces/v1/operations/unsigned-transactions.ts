import Type from 'typebox'
import { decodeUnsigned } from '../../../chains/index.ts'
import { scopeOf } from '../../../identity/index.ts'
import { issueUnsignedTransactions, type OperationTransaction, type Parts } from '../../../operations/index.ts'
import { type App, id, idParams } from '../../http/index.ts'
import { blockchain, dateTime, orNull } from '../schemas.ts'

const wei = (description: string) =>
  Type.String({ pattern: '^[0-9]+$', description: `${description} Decimal, in wei.` })

const EvmTransaction = Type.Object(
  {
    to: Type.String({ description: 'Contract that is called.' }),
    data: Type.String({ description: 'Call data in hex.' }),
    value: wei('Native coins that the call carries.'),
    gasLimit: Type.String({ pattern: '^[0-9]+$', description: 'Most gas that it may use. Decimal.' }),
    maxFeePerGas: wei('Most that a unit of gas may cost.'),
    maxPriorityFeePerGas: wei('Tip for a unit of gas.'),
    nonce: Type.Integer({ description: 'Number of the transaction among those of the wallet.' }),
    chainId: Type.Integer({ description: 'Chain id of EIP-155.' }),
  },
  {
    $id: 'EvmTransaction',
    description:
      'The fields of the unsigned bytes; the type is 2 (EIP-1559). ethers takes them as they are; for viem turn the decimal strings into BigInt and call gasLimit gas.',
  },
)

const UnsignedTransaction = Type.Object(
  {
    attemptId: id('The transaction id: use it as transactionId.'),
    unsignedTransaction: Type.Object(
      { serialized: Type.String({ description: 'Bytes to sign: hex on EVM chains, base64 on Solana.' }) },
      { description: 'The transaction as bytes.' },
    ),
    evmTransaction: Type.Optional(EvmTransaction),
    blockchain,
    description: Type.String({ description: 'What it does, for people.' }),
    validUntil: orNull(dateTime('Until when it can be submitted.')),
  },
  { $id: 'UnsignedTransaction', description: 'A transaction that waits for your signature.' },
)

/** New bytes on v1 (contract 6, rule 1). */
export function unsignedTransactionRoutes(app: App, parts: Parts): void {
  app.get(
    '/v1/operations/:id/unsigned-transactions',
    {
      config: { access: { surface: 'v1', needs: 'read' }, limit: 'v1.read' },
      schema: {
        tags: ['Operations'],
        operationId: 'getUnsignedTransactions',
        summary: 'Get the unsigned transactions of an operation',
        description:
          'What waits for your signature, in order: the bytes that you were given, or new ones with the same effect where those can land no more. When the present base fee is above their fee cap, they get new fees. When another transaction used their nonce, finally, they get a new nonce, on Solana a fresh blockhash once theirs is gone for certain; a later transaction whose old bytes could still land too early is then left out, and comes back when its turn has come. Empty when everything was submitted. Errors: OPERATION_NOT_FOUND; INVALID_OPERATION_STATUS (the custody agent carries it out, or it ended); OPERATION_EXPIRED; INSUFFICIENT_GAS; SIMULATION_FAILED; CHAIN_UNAVAILABLE, also while the block that used the nonce is not settled.',
        params: idParams('Operation id.'),
        querystring: Type.Object({
          discard: Type.Optional(
            Type.Boolean({
              description:
                'Your promise that the old bytes go nowhere: on Solana you get new ones before the old ones are dead. Without meaning on EVM chains, where the nonce rules that out.',
            }),
          ),
        }),
        response: { 200: Type.Array(UnsignedTransaction, { description: 'In the order in which they are signed.' }) },
      },
    },
    async ({ params, query, credential }) =>
      (await issueUnsignedTransactions(parts, scopeOf(credential), params.id, query)).map(presentUnsigned),
  )
}

function presentUnsigned(transaction: OperationTransaction) {
  return {
    attemptId: transaction.transactionId,
    unsignedTransaction: { serialized: transaction.unsignedBytes },
    ...(transaction.call.family === 'evm' ? { evmTransaction: presentFields(transaction.unsignedBytes) } : {}),
    blockchain: transaction.blockchain as (typeof blockchain)['enum'][number],
    description: transaction.description,
    validUntil: transaction.validUntil?.toISOString() ?? null,
  }
}

function presentFields(unsigned: string) {
  const { value, gasLimit, maxFeePerGas, maxPriorityFeePerGas, ...fields } = decodeUnsigned(unsigned)
  return {
    ...fields,
    value: value.toString(),
    gasLimit: gasLimit.toString(),
    maxFeePerGas: maxFeePerGas.toString(),
    maxPriorityFeePerGas: maxPriorityFeePerGas.toString(),
  }
}
