import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshAddress } from '../../../testing/chains/fresh-address.ts'
import { startTestSandbox, type TestSandbox } from '../../../testing/chains/test-sandbox.ts'
import { organization } from '../../../testing/identity/identity-fixture.ts'
import { type CoreServer, coreServer } from '../../../testing/surfaces/core-server.ts'
import { generateKey } from '../../identity/index.ts'
import { undocumentedParts } from '../http/index.ts'
import { sandboxRoutes } from './sandbox.ts'

let sandbox: TestSandbox
let server: CoreServer
let key: string
let adminKey: string

beforeAll(async () => {
  sandbox = await startTestSandbox(['ethereum', 'base'])
  server = await coreServer((app, { db }) =>
    sandboxRoutes(app, { ...sandbox.parts, db, publicUrl: 'http://127.0.0.1:3000' }),
  )
  const { parts } = server
  const { owner } = await organization(parts)
  const { organizationId } = owner
  key = (await generateKey(parts, { organizationId, name: 'organization' })).apiKey
  adminKey = (await generateKey(parts, { organizationId, name: 'admin', isAdmin: true })).apiKey
})
afterAll(async () => {
  await server?.close()
  await sandbox?.close()
})

const post = (path: string, body: unknown, idempotencyKey?: string) =>
  server.call('POST', `/v1/sandbox/${path}`, { key, body, ...(idempotencyKey && { idempotencyKey }) })
const chainOf = (name: string) => sandbox.parts.sandbox.get(name)!
const usdcOf = async (owner: string) => {
  const { faultFree, network } = chainOf('base')
  return (await faultFree.balances([{ owner, token: network.tokens[0]!.address }]))[0]
}

test('networks list chain ids, absolute RPC URLs and tokens; base has no USDT', async () => {
  const { status, body } = await server.call('GET', '/v1/sandbox/networks', { key: adminKey })
  expect(status).toBe(200)
  expect(body).toMatchObject([
    { blockchain: 'ethereum', chainId: 31_337, rpcUrl: 'http://127.0.0.1:3000/sandbox/rpc/ethereum' },
    { blockchain: 'base', chainId: 31_339, rpcUrl: 'http://127.0.0.1:3000/sandbox/rpc/base' },
  ])
  expect(body.map(({ tokens }: { tokens: { symbol: string }[] }) => tokens.map(({ symbol }) => symbol))).toEqual([
    ['USDC', 'USDT'],
    ['USDC'],
  ])
  expect(body[1].tokens[0]).toEqual({ symbol: 'USDC', address: expect.stringMatching(/^0x/), decimals: 6 })
})

test('an admin key can only read, and a request without a key is rejected', async () => {
  const refused = await server.call('POST', '/v1/sandbox/advance-time', { key: adminKey, body: { seconds: 1 } })
  expect(refused).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
  expect(await server.call('GET', '/v1/sandbox/networks')).toMatchObject({ status: 401 })
})

test('the faucet sends once per idempotency key, and repeats the response', async () => {
  const walletAddress = freshAddress()
  const gift = { walletAddress, blockchain: 'base', token: 'USDC', amount: '2500000' }
  const first = await post('faucet', gift, 'gift-1')
  expect(first).toMatchObject({ status: 200, body: { txHash: expect.stringMatching(/^0x[0-9a-f]{64}$/) } })
  const again = await post('faucet', gift, 'gift-1')
  expect(again).toMatchObject({ status: 200, body: first.body, headers: { 'idempotency-replayed': 'true' } })
  expect(await usdcOf(walletAddress)).toBe(2_500_000n)
  expect(await post('faucet', { ...gift, amount: '1' }, 'gift-1')).toMatchObject({ status: 409 })
})

test('invalid input gets the codes of the interface', async () => {
  const gift = { walletAddress: freshAddress(), blockchain: 'base', token: 'USDC', amount: '1' }
  const cases: [string, object, number, string][] = [
    ['faucet', { ...gift, amount: 5 }, 400, 'VALIDATION_ERROR'],
    ['faucet', { ...gift, blockchain: 'arbitrum' }, 400, 'VALIDATION_ERROR'],
    ['faucet', { ...gift, blockchain: 'polygon' }, 400, 'VALIDATION_ERROR'],
    ['faucet', { ...gift, withGas: 'no' }, 400, 'VALIDATION_ERROR'],
    ['faucet', { ...gift, walletAddress: 'nonsense' }, 400, 'INVALID_ADDRESS'],
    ['faucet', { ...gift, token: 'DOGE' }, 404, 'TOKEN_NOT_FOUND'],
    ['faucet', { ...gift, token: 'USDT' }, 400, 'VALIDATION_ERROR'],
    ['faucet', { ...gift, amount: '0' }, 400, 'INVALID_AMOUNT'],
    ['advance-time', { seconds: '60' }, 400, 'VALIDATION_ERROR'],
    ['advance-time', { seconds: 31_536_001 }, 400, 'VALIDATION_ERROR'],
    ['advance-time', {}, 400, 'VALIDATION_ERROR'],
    ['chain-faults', { blockchain: 'base', fault: 'nonsense', count: 1 }, 400, 'VALIDATION_ERROR'],
    ['chain-faults', { blockchain: 'base', fault: 'rpc_down', count: 1_001 }, 400, 'VALIDATION_ERROR'],
    ['chain-faults', { blockchain: 'base', fault: 'rpc_down', count: -1 }, 400, 'VALIDATION_ERROR'],
    ['chain-faults', { blockchain: 'polygon', fault: 'rpc_down', count: 1 }, 400, 'VALIDATION_ERROR'],
  ]
  for (const [path, body, status, code] of cases) {
    expect(await post(path, body), JSON.stringify(body)).toMatchObject({ status, body: { statusCode: status, code } })
  }
})

test('advance-time moves every chain and returns their new time', async () => {
  const before = await chainOf('base').dev.head()
  const { status, body } = await post('advance-time', { seconds: 3_600 })
  expect(status).toBe(200)
  for (const name of ['ethereum', 'base']) {
    expect((await chainOf(name).dev.head()).time.toISOString()).toBe(body.now)
  }
  expect(Date.parse(body.now) - before.time.getTime()).toBeGreaterThanOrEqual(3_600_000)
})

test('chain-faults sets the remaining count of a fault, and 0 ends it', async () => {
  const fault = { blockchain: 'base', fault: 'delay_next', count: 4 }
  expect(await post('chain-faults', fault)).toMatchObject({ status: 200, body: fault })
  expect(chainOf('base').dev.remainingFaults('delay_next')).toBe(4)
  await post('chain-faults', { ...fault, count: 0 })
  expect(chainOf('base').dev.remainingFaults('delay_next')).toBe(0)
})

test('the API reference is complete', () => {
  expect(undocumentedParts(server.app.swagger())).toEqual([])
})
