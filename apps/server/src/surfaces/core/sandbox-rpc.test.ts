import { request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createPublicClient, createWalletClient, defineChain, http } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshAddress } from '../../../testing/chains/fresh-address.ts'
import { startTestSandbox, type TestSandbox } from '../../../testing/chains/test-sandbox.ts'
import { fundFromFaucet } from '../../sandbox/index.ts'
import { type App, undocumentedParts } from '../http/index.ts'
import { testServer } from '../http/server/test-server.ts'
import { isLoopbackAddress, isLoopbackHost } from './local-caller.ts'
import { sandboxRpcRoute } from './sandbox-rpc.ts'

let sandbox: TestSandbox
let app: App
let port: number
const account = privateKeyToAccount(generatePrivateKey())

beforeAll(async () => {
  sandbox = await startTestSandbox(['polygon'])
  app = (await testServer((made) => sandboxRpcRoute(made, sandbox.parts))).app
  await app.listen({ host: '127.0.0.1', port: 0 })
  port = (app.server.address() as AddressInfo).port
  const gift = { organizationId: 1, walletAddress: account.address, blockchain: 'polygon', token: 'native' }
  await fundFromFaucet(sandbox.parts, { ...gift, amount: 10n ** 18n })
  sandbox.registered.add(account.address)
})
afterAll(async () => {
  await app?.close()
  await sandbox?.close()
})

const chainId = { jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] }

/** Any Host and any Origin, as a browser, a proxy or an attacker might send them, over real loopback. */
async function call(body: unknown, headers: Record<string, string> = {}, method = 'POST', name = 'polygon') {
  return new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; text: string }>((resolve, reject) => {
    const sent = httpRequest(
      {
        host: '127.0.0.1',
        port,
        method,
        path: `/sandbox/rpc/${name}`,
        headers: { 'content-type': 'application/json', ...headers },
      },
      (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (part: string) => {
          text += part
        })
        response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }))
      },
    )
    sent.on('error', reject)
    sent.end(method === 'POST' ? (typeof body === 'string' ? body : JSON.stringify(body)) : undefined)
  })
}

function clients() {
  const chain = defineChain({
    id: 31_338,
    name: 'polygon',
    nativeCurrency: { name: 'POL', symbol: 'POL', decimals: 18 },
    rpcUrls: { default: { http: [`http://127.0.0.1:${port}/sandbox/rpc/polygon`] } },
  })
  const transport = http(undefined, { batch: true, retryCount: 0 })
  return {
    client: createPublicClient({ chain, transport, pollingInterval: 20, cacheTime: 0 }),
    wallet: createWalletClient({ chain, transport, account }),
  }
}

test('an ordinary client library signs and sends through it, and sees the result', async () => {
  const { client, wallet } = clients()
  const to = freshAddress() as `0x${string}`
  const hash = await wallet.sendTransaction({ to, value: 5n })
  expect(await client.waitForTransactionReceipt({ hash })).toMatchObject({ status: 'success' })
  const [id, balance] = await Promise.all([client.getChainId(), client.getBalance({ address: to })])
  expect([id, balance]).toEqual([31_338, 5n])
})

test('faults apply here too', async () => {
  const { client, wallet } = clients()
  const { dev } = sandbox.parts.sandbox.get('polygon')!
  const to = freshAddress() as `0x${string}`
  dev.setFault('revert_next', 1)
  const hash = await wallet.sendTransaction({ to, value: 5n })
  expect(await client.waitForTransactionReceipt({ hash })).toMatchObject({ status: 'reverted' })
  dev.setFault('rpc_down', 1)
  await expect(client.getBlockNumber()).rejects.toThrow('rpc_down')
  dev.setFault('rpc_down', 0)
  expect(await client.getBalance({ address: to })).toBe(0n)
})

test('chain control methods are not offered, and JSON-RPC errors have status 200', async () => {
  const cases: [unknown, number][] = [
    [{ ...chainId, method: 'anvil_setBalance', params: [account.address, '0x1'] }, -32_601],
    [{ ...chainId, method: 'evm_increaseTime', params: [60] }, -32_601],
    [{ ...chainId, method: 'eth_sendTransaction', params: [{}] }, -32_601],
    ['{"jsonrpc": ', -32_700],
    [{}, -32_600],
    [[], -32_600],
    ['', -32_600],
  ]
  for (const [body, code] of cases) {
    const { status, text } = await call(body)
    expect([status, JSON.parse(text).error.code], JSON.stringify(body)).toEqual([200, code])
  }
  const batch = JSON.parse((await call([chainId, { ...chainId, id: 2, method: 'evm_mine' }])).text)
  expect(batch).toMatchObject([{ result: '0x7a6a' }, { id: 2, error: { code: -32_601 } }])
  expect(await call({ jsonrpc: '2.0', method: 'eth_chainId' })).toMatchObject({ status: 204, text: '' })
})

test('only a loopback Host is accepted, so DNS rebinding by a web page fails', async () => {
  for (const host of ['localhost', 'localhost:3000', '127.0.0.1', '127.9.8.7:1', '[::1]:3000', 'LOCALHOST']) {
    expect(await call(chainId, { host }), host).toMatchObject({ status: 200 })
  }
  for (const host of [
    'evil.example',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    '10.0.0.1',
    '0.0.0.0',
    '[::]',
  ]) {
    const { status, text } = await call(chainId, { host })
    expect([status, JSON.parse(text).code], host).toEqual([403, 'FORBIDDEN'])
  }
})

test('only callers on this machine are accepted', async () => {
  const from = (remoteAddress: string) =>
    app.inject({ method: 'POST', url: '/sandbox/rpc/polygon', remoteAddress, payload: chainId })
  expect((await from('192.168.1.20')).statusCode).toBe(403)
  expect((await from('::ffff:10.0.0.1')).statusCode).toBe(403)
  expect((await from('::ffff:127.0.0.1')).statusCode).toBe(200)
  expect((await from('::1')).statusCode).toBe(200)
})

test('a proxy on this machine does not open it to its callers', async () => {
  for (const name of ['x-forwarded-for', 'forwarded', 'x-real-ip', 'x-forwarded-host', 'via']) {
    const { status } = await call(chainId, { [name]: '127.0.0.1' })
    expect(status, name).toBe(403)
  }
})

test('pages on loopback origins may call it, others may not', async () => {
  const origin = 'http://localhost:5173'
  const preflight = await call(undefined, { origin, 'access-control-request-method': 'POST' }, 'OPTIONS')
  expect(preflight.status).toBe(204)
  expect(preflight.headers).toMatchObject({
    'access-control-allow-origin': origin,
    'access-control-allow-headers': 'content-type, solana-client',
    vary: 'Origin',
  })
  expect((await call(chainId, { origin })).headers['access-control-allow-origin']).toBe(origin)
  for (const stranger of ['https://evil.example', 'http://localhost.evil.example', 'null']) {
    const { headers } = await call(undefined, { origin: stranger }, 'OPTIONS')
    expect(headers['access-control-allow-origin'], stranger).toBeUndefined()
  }
  // A page may send plain text anywhere without a preflight; plain text is not accepted as JSON.
  expect(await call(JSON.stringify(chainId), { 'content-type': 'text/plain' })).toMatchObject({ status: 415 })
})

test('a chain that is not embedded is unknown, and other methods are rejected', async () => {
  const { status, text } = await call(chainId, {}, 'POST', 'ethereum')
  expect([status, JSON.parse(text).code]).toEqual([404, 'NOT_FOUND'])
  expect((await call(undefined, {}, 'GET')).status).toBe(405)
})

test('loopback is 127.0.0.0/8 and ::1, by number and by name, and nothing that looks like it', () => {
  expect(['127.0.0.1', '127.255.255.254', '::1', '::ffff:127.0.0.1'].filter((one) => !isLoopbackAddress(one))).toEqual(
    [],
  )
  const strangers = ['', '128.0.0.1', '127.0.0.256', '127.1', '1127.0.0.1', '::2', '::ffff:1.2.3.4', 'localhost']
  expect(strangers.filter(isLoopbackAddress)).toEqual([])
  expect(
    ['', 'a.localhost', 'localhost.', '127.0.0.1x', '::1', 'localhost:3000:1', '[::1'].filter(isLoopbackHost),
  ).toEqual([])
})

test('the API reference is complete', () => {
  expect(undocumentedParts(app.swagger())).toEqual([])
})

test('responses carry a rate limit too, a very high one', async () => {
  const { headers } = await call(chainId)
  expect(Number(headers['ratelimit-limit'])).toBeGreaterThanOrEqual(100_000)
  expect(Number(headers['ratelimit-remaining'])).toBeGreaterThan(0)
})
