import { expect } from 'vitest'
import type { Operation, Transaction } from '../clients/api-types.ts'
import type { System } from '../service/start-system.ts'

/** Signs and submits all transactions of an operation on any chain, in order, and waits until it is confirmed. */
export async function carryOut(
  { profile }: System,
  sign: (transaction: Transaction) => Promise<string>,
  { operationId, transactions }: Operation,
): Promise<Operation> {
  for (const transaction of transactions) {
    const signedTransaction = await sign(transaction)
    const sent = await profile.post('/v1/transactions/submit-signed', { operationId, signedTransaction })
    expect(sent.status, sent.text).toBe(202)
  }
  const read = async () => (await profile.get<Operation>(`/v1/operations/${operationId}`)).body
  await expect.poll(async () => (await read()).status, { timeout: 60_000 }).toBe('CONFIRMED')
  return read()
}
