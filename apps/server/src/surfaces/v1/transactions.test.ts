import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  type Client,
  type MainJob,
  startMainJob,
  startTestChain,
  type TestChain,
  USDC,
} from '../../../testing/main-job.ts'
import { PUBLIC_URL, type V1Server, v1Server } from '../../../testing/v1-server.ts'
import { openApiGaps } from '../http/index.ts'

let dev: TestChain
let job: MainJob
let server: V1Server
let client: Client
beforeAll(async () => {
  dev = await startTestChain()
  job = await startMainJob(dev)
  server = await v1Server(job.parts)
})
afterAll(async () => {
  await server?.close()
  await job?.close()
  await dev?.stop()
})
beforeEach(async () => {
  client = await job.client({ usdc: 1_000n * USDC })
  await job.settle()
  return () => dev.mineAtOnce(true)
})

const UNKNOWN = `0x${'ab'.repeat(32)}`
const refusal = (status: number, code: string) => ({ status, body: { statusCode: status, code } })
const submitHash = (body: object, once?: string) => server.post(client, '/v1/transactions/submit-hash', body, once)
const recover = (operationId: number | string, body: object, once?: string) =>
  server.post(client, `/v1/transactions/${operationId}/recover`, body, once)

test('submit-hash answers 202 with the pending transaction, and the same again', async () => {
  const { operationId, transactions } = await client.supply(100n * USDC)
  const txHash = await client.send(transactions[0]!)
  const expected = { id: transactions[0]!.transactionId, operationId, status: 'pending', txHash }
  const first = await submitHash({ operationId, txHash }, 'once')
  expect(first).toMatchObject({ status: 202, body: expected })
  expect(first.headers).not.toHaveProperty('idempotency-replayed')
  expect((await submitHash({ operationId, txHash }, 'once')).headers).toMatchObject({ 'idempotency-replayed': 'true' })
  expect(await submitHash({ operationId, txHash })).toMatchObject({ status: 202, body: expected })
})

test('recover answers 200 with the transaction that the hash is linked to', async () => {
  const { operationId, transactions } = await client.supply(100n * USDC)
  const txHash = await client.send(transactions[0]!)
  const expected = { success: true, transactionId: transactions[0]!.transactionId, txHash }
  expect(await recover(operationId, { txHash }, 'once')).toMatchObject({ status: 200, body: expected })
  expect((await recover(operationId, { txHash }, 'once')).headers).toMatchObject({ 'idempotency-replayed': 'true' })
  expect(await recover(operationId, { txHash })).toMatchObject({ status: 200, body: expected })
})

test('each refusal has its code and status', async () => {
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
  await dev.included(txHash)
  await job.settle()
  const next = await client.supply(100n * USDC)
  expect(await recover(next.operationId, { txHash })).toMatchObject(refusal(400, 'OPERATION_ALREADY_SUBMITTED'))
  job.clock.advance(500_000)
  expect(await submitHash({ operationId: next.operationId, txHash: UNKNOWN })).toMatchObject(
    refusal(400, 'OPERATION_EXPIRED'),
  )
})

test('an admin key and another organization cannot report a hash', async () => {
  const { operationId } = await client.supply(100n * USDC)
  const body = { operationId, txHash: UNKNOWN }
  const stranger = await job.client({ usdc: 0n })
  for (const [path, sent] of [
    ['submit-hash', body],
    [`${operationId}/recover`, { txHash: UNKNOWN }],
  ] as const) {
    const url = `/v1/transactions/${path}`
    expect(await server.post({ ...client, readsOnly: true }, url, sent)).toMatchObject(refusal(403, 'FORBIDDEN'))
    expect(await server.post(stranger, url, sent)).toMatchObject(refusal(404, 'OPERATION_NOT_FOUND'))
  }
})

describe('bytes whose nonce was used', () => {
  test('are refused with the absolute address of new ones', async () => {
    const { operationId, transactions } = await client.supply(100n * USDC)
    const signedTransaction = await client.sign(transactions[0]!)
    await dev.included(await client.useNonce())
    const refused = await server.post(client, '/v1/transactions/submit-signed', { operationId, signedTransaction })
    expect(refused).toMatchObject(refusal(400, 'OPERATION_EXPIRED'))
    expect(refused.body.details.refresh).toBe(`${PUBLIC_URL}/v1/operations/${operationId}/unsigned-transactions`)
  })
})

test('the API reference leaves nothing out', () => {
  expect(openApiGaps(server.app.swagger())).toEqual([])
})
