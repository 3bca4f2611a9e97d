import { keccak256 } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { anyState } from '../../../../testing/operations/any-state.ts'
import { useEngine } from '../../../../testing/operations/use-engine.ts'
import { refusal } from '../../../../testing/surfaces/use-v1.ts'
import { type V1Server, v1Server } from '../../../../testing/surfaces/v1-server.ts'
import { USDC } from '../../../../testing/units.ts'

const use = useEngine()
let server: V1Server
beforeAll(async () => {
  server = await v1Server(use.engine.parts)
})
afterAll(() => server?.close())

const path = (operationId: number | string, query = '') => `/v1/operations/${operationId}/unsigned-transactions${query}`

test('bytes and fields agree, and an ordinary client library signs either', async () => {
  const plan = await use.client.supply(100n * USDC)
  const { status, body } = await server.get(use.client, path(plan.operationId))
  expect(status).toBe(200)
  expect(body).toHaveLength(2)
  for (const [index, transaction] of plan.transactions.entries()) {
    const given = body[index]
    expect(given).toEqual({
      attemptId: transaction.transactionId,
      unsignedTransaction: { serialized: anyState(transaction).unsignedBytes },
      evmTransaction: {
        to: expect.stringMatching(/^0x[0-9a-fA-F]{40}$/),
        data: expect.stringMatching(/^0x[0-9a-f]+$/),
        value: '0',
        gasLimit: expect.stringMatching(/^\d+$/),
        maxFeePerGas: expect.stringMatching(/^\d+$/),
        maxPriorityFeePerGas: expect.stringMatching(/^\d+$/),
        nonce: transaction.nonce,
        chainId: use.dev.chainId,
      },
      blockchain: 'polygon',
      description: transaction.description,
      validUntil: plan.expiresAt!.toISOString(),
    })
    const { gasLimit, value, maxFeePerGas, maxPriorityFeePerGas, ...fields } = given.evmTransaction
    const signed = await use.client.account.signTransaction({
      ...fields,
      value: BigInt(value),
      gas: BigInt(gasLimit),
      maxFeePerGas: BigInt(maxFeePerGas),
      maxPriorityFeePerGas: BigInt(maxPriorityFeePerGas),
      type: 'eip1559',
    })
    expect(keccak256(signed)).toBe(keccak256(await use.client.sign(transaction)))
  }
})

test('an admin key reads the bytes, but cannot discard them', async () => {
  const { operationId } = await use.client.supply(100n * USDC)
  const reader = { scope: use.client.scope, readsOnly: true }
  expect((await server.get(reader, path(operationId))).status).toBe(200)
  expect((await server.get(reader, path(operationId, '?discard=false'))).status).toBe(200)
  expect(await server.get(reader, path(operationId, '?discard=true'))).toMatchObject(refusal(403, 'FORBIDDEN'))
})

test.each(['viewer', 'owner'] as const)(
  'the browser of a member who is %s reads the bytes, but cannot discard them',
  async (role) => {
    const { operationId } = await use.client.supply(100n * USDC)
    const browse = (query: string) => server.browse(role, use.client, path(operationId, query))
    expect((await browse('')).status).toBe(200)
    expect(await browse('?discard=true')).toMatchObject(refusal(403, 'FORBIDDEN'))
  },
)

test('discard is accepted and changes nothing on an EVM chain', async () => {
  const { operationId } = await use.client.supply(100n * USDC)
  const { body } = await server.get(use.client, path(operationId))
  expect((await server.get(use.client, path(operationId, '?discard=true'))).body).toEqual(body)
  expect((await server.get(use.client, path(operationId, '?discard=false'))).body).toEqual(body)
  expect(await server.get(use.client, path(operationId, '?discard=yes'))).toMatchObject(
    refusal(400, 'VALIDATION_ERROR'),
  )
})

test('each error has its code and status', async () => {
  expect(await server.get(use.client, path('first'))).toMatchObject(refusal(400, 'VALIDATION_ERROR'))
  expect(await server.get(use.client, path(999_999))).toMatchObject(refusal(404, 'OPERATION_NOT_FOUND'))

  const plan = await use.client.supply(100n * USDC)
  await use.dev.included(await use.client.useNonce())
  expect(await server.get(use.client, path(plan.operationId))).toMatchObject(refusal(503, 'CHAIN_UNAVAILABLE'))
  await use.engine.settle()
  expect((await server.get(use.client, path(plan.operationId))).status).toBe(200)
  await use.dev.included(await use.client.spend(1_000n * USDC))
  await use.engine.settle()
  expect(await server.get(use.client, path(plan.operationId))).toMatchObject(refusal(400, 'SIMULATION_FAILED'))
  await use.dev.rpc('anvil_setBalance', use.client.address, '0x1')
  expect(await server.get(use.client, path(plan.operationId))).toMatchObject(refusal(400, 'INSUFFICIENT_GAS'))
  expect((await server.post(use.client, `/v1/operations/${plan.operationId}/cancel`, {})).status).toBe(200)
  expect(await server.get(use.client, path(plan.operationId))).toMatchObject(refusal(400, 'INVALID_OPERATION_STATUS'))
})

test('an expired operation returns OPERATION_EXPIRED', async () => {
  const plan = await use.client.supply(100n * USDC)
  use.engine.clock.advance(500_000)
  expect(await server.get(use.client, path(plan.operationId))).toMatchObject(refusal(400, 'OPERATION_EXPIRED'))
})
