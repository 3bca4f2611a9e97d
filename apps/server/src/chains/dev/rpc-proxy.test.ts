import { freePort } from '@weir/devnet/free-port'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { RPC_PROXY_BATCH_MAX, silentLog } from '../../kernel/index.ts'
import { account, signed, startTestNode, type TestNode, transfer } from '../evm/test-node.ts'
import { createDevChain, type DevChain } from './create-dev-chain.ts'

let node: TestNode
let dev: DevChain

beforeAll(async () => {
  node = await startTestNode()
  dev = createDevChain({ url: node.url, isRegistered: async () => true, log: silentLog })
})
afterAll(async () => {
  await dev.close()
  await node.stop()
})

const request = (method: string, params: unknown = [], id: unknown = 1) => ({ jsonrpc: '2.0', id, method, params })

test('public methods reach the node, and its errors are passed on', async () => {
  expect(await dev.proxy.handle(request('eth_chainId', [], 'a'))).toEqual({ jsonrpc: '2.0', id: 'a', result: '0x7a6a' })
  expect(await dev.proxy.handle(request('eth_getBlockByNumber', ['nonsense', false]))).toMatchObject({
    id: 1,
    error: { code: -32_602 },
  })
  expect(await dev.proxy.handle({ jsonrpc: '2.0', id: 2, method: 'net_version' })).toMatchObject({
    id: 2,
    result: '31338',
  })
})

test.each([
  'anvil_setBalance',
  'anvil_impersonateAccount',
  'evm_mine',
  'evm_increaseTime',
  'hardhat_setCode',
  'debug_traceTransaction',
  'personal_unlockAccount',
  'eth_sendTransaction',
  'eth_sign',
  'eth_signTransaction',
  'eth_signTypedData_v4',
  'eth_accounts',
  'eth_newFilter',
  'eth_subscribe',
  'txpool_content',
  'ots_getApiLevel',
  'ETH_CHAINID',
  '__proto__',
  'constructor',
])('%s is not available from outside', async (method) => {
  expect(await dev.proxy.handle(request(method, []))).toMatchObject({ id: 1, error: { code: -32_601 } })
})

test('an invalid JSON-RPC request is -32600, with its id if it has one', async () => {
  const bad: [unknown, unknown][] = [
    [null, null],
    [7, null],
    ['eth_chainId', null],
    [{}, null],
    [{ id: 3, method: 'eth_chainId' }, 3],
    [{ jsonrpc: '2.0', id: 4, method: 5 }, 4],
    [{ jsonrpc: '2.0', id: {}, method: 'eth_chainId' }, null],
    [[], null],
    [Array.from({ length: RPC_PROXY_BATCH_MAX + 1 }, () => request('eth_chainId')), null],
  ]
  for (const [body, id] of bad) expect(await dev.proxy.handle(body)).toMatchObject({ id, error: { code: -32_600 } })
  expect(await dev.proxy.handle(request('eth_chainId', { a: 1 }))).toMatchObject({ error: { code: -32_602 } })
})

test('a batch keeps its order, each request handled separately; notifications get no response', async () => {
  const notification = { jsonrpc: '2.0', method: 'eth_chainId', params: [] }
  const answers = await dev.proxy.handle([
    request('eth_blockNumber', [], 1),
    request('evm_mine', [], 2),
    notification,
    8,
    request('eth_chainId', [], 3),
  ])
  expect(answers).toMatchObject([
    { id: 1, result: expect.stringMatching(/^0x/) },
    { id: 2, error: { code: -32_601 } },
    { id: null, error: { code: -32_600 } },
    { id: 3, result: '0x7a6a' },
  ])
  expect(await dev.proxy.handle(notification)).toBeUndefined()
  expect(await dev.proxy.handle([notification])).toBeUndefined()
})

test('the faults apply through the proxy too', async () => {
  dev.setFault('drop_next', 1)
  const { raw, hash } = await signed(node.chain(), 1, transfer(1n))
  expect(await dev.proxy.handle(request('eth_sendRawTransaction', [raw]))).toMatchObject({ result: hash })
  expect(await dev.proxy.handle(request('eth_getTransactionByHash', [hash]))).toMatchObject({ result: null })
  dev.setFault('simulation_fails', 1)
  const call = { from: account(1).address, to: account(2).address }
  expect(await dev.proxy.handle(request('eth_estimateGas', [call]))).toMatchObject({ error: { code: 3 } })
  expect(await dev.proxy.handle(request('eth_estimateGas', [call]))).toHaveProperty('result')
})

test('an unavailable node is reported as an error, without its address', async () => {
  const port = await freePort()
  const gone = createDevChain({ url: `http://127.0.0.1:${port}`, isRegistered: async () => true, log: silentLog })
  const answer = await gone.proxy.handle(request('eth_chainId'))
  expect(answer).toMatchObject({ error: { code: -32_603 } })
  expect(JSON.stringify(answer)).not.toContain(String(port))
})
