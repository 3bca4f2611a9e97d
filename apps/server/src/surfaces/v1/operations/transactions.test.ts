import { beforeEach, describe, expect, test } from 'vitest'
import type { TestClient } from '../../../../testing/operations/test-client.ts'
import { refusal, useV1 } from '../../../../testing/surfaces/use-v1.ts'
import { PUBLIC_URL } from '../../../../testing/surfaces/v1-server.ts'
import { USDC } from '../../../../testing/units.ts'
import { undocumentedParts } from '../../http/index.ts'

const v1 = useV1()
let client: TestClient
beforeEach(async () => {
  client = await v1.engine.client({ usdc: 1_000n * USDC })
  await v1.engine.settle()
  return () => v1.dev.mineAtOnce(true)
})

const UNKNOWN = `0x${'ab'.repeat(32)}`
const submitHash = (body: object, once?: string) => v1.server.post(client, '/v1/transactions/submit-hash', body, once)
const recover = (operationId: number | string, body: object, once?: string) =>
  v1.server.post(client, `/v1/transactions/${operationId}/recover`, body, once)

test('submit-hash returns 202 with the pending transaction, and the same again', async () => {
  const { operationId, transactions } = await client.supply(100n * USDC)
  const txHash = await client.send(transactions[0]!)
  const expected = { id: transactions[0]!.transactionId, operationId, status: 'pending', txHash }
  const first = await submitHash({ operationId, txHash }, 'once')
  expect(first).toMatchObject({ status: 202, body: expected })
  expect(first.headers).not.toHaveProperty('idempotency-replayed')
  expect((await submitHash({ operationId, txHash }, 'once')).headers).toMatchObject({ 'idempotency-replayed': 'true' })
  expect(await submitHash({ operationId, txHash })).toMatchObject({ status: 202, body: expected })
})

test('recover returns 200 with the transaction that the hash is linked to', async () => {
  const { operationId, transactions } = await client.supply(100n * USDC)
  const txHash = await client.send(transactions[0]!)
  const expected = { success: true, transactionId: transactions[0]!.transactionId, txHash }
  expect(await recover(operationId, { txHash }, 'once')).toMatchObject({ status: 200, body: expected })
  expect((await recover(operationId, { txHash }, 'once')).headers).toMatchObject({ 'idempotency-replayed': 'true' })
  expect(await recover(operationId, { txHash })).toMatchObject({ status: 200, body: expected })
})

test('each error has its code and status', async () => {
  const { operationId, transactions } = await client.supply(100n * USDC)
  const other = await client.receive(1n)
  expect(await submitHash({ operationId, txHash: 'nonsense' })).toMatchObject(refusal(400, 'VALIDATION_ERROR'))
  expect(await submitHash({ operationId, txHash: 5 })).toMatchObject(refusal(400, 'VALIDATION_ERROR'))
  expect(await submitHash({ txHash: UNKNOWN })).toMatchObject(refusal(400, 'VALIDATION_ERROR'))
  expect(await submitHash({ operationId: 999_999, txHash: UNKNOWN })).toMatchObject(refusal(404, 'OPERATION_NOT_FOUND'))
  expect(await submitHash({ operationId, txHash: UNKNOWN, transactionId: 999_999 })).toMatchObject(
    refusal(404, 'TRANSACTION_NOT_FOUND'),
  )
  expect(await submitHash({ operationId, txHash: other })).toMatchObject(refusal(400, 'TRANSACTION_MISMATCH'))
  expect(
    await submitHash({ operationId, txHash: UNKNOWN, transactionId: transactions[1]!.transactionId }),
  ).toMatchObject(refusal(400, 'INVALID_OPERATION_STATUS'))
  expect(await recover('first', { txHash: UNKNOWN })).toMatchObject(refusal(400, 'VALIDATION_ERROR'))
  expect(await recover(operationId, {})).toMatchObject(refusal(400, 'VALIDATION_ERROR'))
  expect(await recover(999_999, { txHash: UNKNOWN })).toMatchObject(refusal(404, 'OPERATION_NOT_FOUND'))
  expect(await recover(operationId, { txHash: other })).toMatchObject(refusal(404, 'TRANSACTION_NOT_FOUND'))

  const txHash = await client.submitAll(await client.operation({ operationId }))
  expect(await submitHash({ operationId, txHash: UNKNOWN })).toMatchObject(refusal(400, 'OPERATION_ALREADY_SUBMITTED'))
  expect(await recover(operationId, { txHash: UNKNOWN })).toMatchObject(refusal(400, 'INVALID_OPERATION_STATUS'))
  await v1.dev.included(txHash)
  await v1.engine.settle()
  const next = await client.supply(100n * USDC)
  expect(await recover(next.operationId, { txHash })).toMatchObject(refusal(400, 'OPERATION_ALREADY_SUBMITTED'))
  v1.engine.clock.advance(500_000)
  expect(await submitHash({ operationId: next.operationId, txHash: UNKNOWN })).toMatchObject(
    refusal(400, 'OPERATION_EXPIRED'),
  )
})

test('an admin key and another organization cannot report a hash', async () => {
  const { operationId } = await client.supply(100n * USDC)
  const body = { operationId, txHash: UNKNOWN }
  const stranger = await v1.engine.client({ usdc: 0n })
  for (const [path, sent] of [
    ['submit-hash', body],
    [`${operationId}/recover`, { txHash: UNKNOWN }],
  ] as const) {
    const url = `/v1/transactions/${path}`
    expect(await v1.server.post({ ...client, readsOnly: true }, url, sent)).toMatchObject(refusal(403, 'FORBIDDEN'))
    expect(await v1.server.post(stranger, url, sent)).toMatchObject(refusal(404, 'OPERATION_NOT_FOUND'))
  }
})

describe('bytes whose nonce is used', () => {
  test('are rejected with the absolute URL of new ones', async () => {
    const { operationId, transactions } = await client.supply(100n * USDC)
    const signedTransaction = await client.sign(transactions[0]!)
    await v1.dev.included(await client.useNonce())
    const refused = await v1.server.post(client, '/v1/transactions/submit-signed', { operationId, signedTransaction })
    expect(refused).toMatchObject(refusal(400, 'OPERATION_EXPIRED'))
    expect(refused.body.details.refresh).toBe(`${PUBLIC_URL}/v1/operations/${operationId}/unsigned-transactions`)
  })
})

test('the API reference is complete', () => {
  expect(undocumentedParts(v1.server.app.swagger())).toEqual([])
})
