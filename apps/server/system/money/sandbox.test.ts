import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { until } from '../../testing/until.ts'
import type { Network } from '../clients/api-types.ts'
import { expectIssues, expectRefusal } from '../clients/expect-refusal.ts'
import { sharedSystem } from '../service/shared-system.ts'
import type { System } from '../service/start-system.ts'

let system: System

beforeAll(async () => {
  system = await sharedSystem()
})
afterAll(() => system?.stop())

const newAddress = () => privateKeyToAccount(generatePrivateKey()).address
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

describe('the sandbox', () => {
  test('lists its chains, each with an id, an absolute URL and its tokens', async () => {
    const networks = await system.networks()
    const seen = networks.map(({ blockchain, chainId, rpcUrl, tokens }) => [
      blockchain,
      chainId,
      rpcUrl,
      tokens.map(({ symbol, decimals }) => `${symbol} ${decimals}`),
    ])
    const rpc = (name: string) => `${system.process.url}/sandbox/rpc/${name}`
    expect(seen).toEqual([
      ['ethereum', 31337, rpc('ethereum'), ['USDC 6', 'USDT 6']],
      ['polygon', 31338, rpc('polygon'), ['USDC 6', 'USDT 6']],
      ['base', 31339, rpc('base'), ['USDC 6']],
      ['solana', undefined, rpc('solana'), ['USDC 6', 'USDT 6']],
    ])
  })

  test('forwards public RPC methods, single and batched, and refuses all others with -32601', async () => {
    const call = (method: string, id: number) => ({ jsonrpc: '2.0', id, method, params: [] })
    const rpc = async (body: unknown) => (await system.as({}).post<unknown>('/sandbox/rpc/polygon', body)).body
    expect(await rpc(call('eth_chainId', 1))).toEqual({ jsonrpc: '2.0', id: 1, result: '0x7a6a' })
    const batch = (await rpc([call('eth_blockNumber', 1), call('anvil_mine', 2), call('evm_setTime', 3)])) as {
      id: number
      error?: { code: number }
    }[]
    expect(batch.map(({ id, error }) => [id, error?.code])).toEqual([
      [1, undefined],
      [2, -32601],
      [3, -32601],
    ])
    for (const method of ['anvil_setBalance', 'debug_traceTransaction', 'eth_sign', 'eth_accounts', 'hardhat_reset']) {
      expect(await rpc(call(method, 7))).toMatchObject({ error: { code: -32601 } })
    }
  })

  test('funds exact native amounts, adds gas to the first tokens, and refuses what it cannot fund', async () => {
    const give = (body: Record<string, unknown>) =>
      system.profile.post<{ txHash: string }>('/v1/sandbox/faucet', {
        walletAddress: newAddress(),
        blockchain: 'base',
        token: 'USDC',
        amount: '1',
        ...body,
      })
    const answer = await give({ token: 'native', amount: '123' })
    expect(answer.body.txHash).toMatch(/^0x[0-9a-f]{64}$/)
    expectRefusal(await give({ token: 'DAI' }), 404, 'TOKEN_NOT_FOUND')
    expectRefusal(await give({ token: 'USDT' }), 400, 'VALIDATION_ERROR')
    expectRefusal(await give({ blockchain: 'solana' }), 400, 'INVALID_ADDRESS')
    expectRefusal(await give({ walletAddress: '0x1' }), 400, 'INVALID_ADDRESS')
    for (const amount of ['0', '-1', '1.5', '1e6', '+1', ' 1', '']) {
      expectRefusal(await give({ amount }), 400, 'INVALID_AMOUNT')
    }
    expectIssues(await give({ amount: 1 }), 'amount')
  })

  test('advances its clocks by 1 second to a year and refuses everything else', async () => {
    for (const seconds of [0, -1, 31_536_001, 1.5, '5', null]) {
      expectIssues(await system.profile.post('/v1/sandbox/advance-time', { seconds }), 'seconds')
    }
    const before = Date.now()
    const { body } = await system.profile.post<{ now: string }>('/v1/sandbox/advance-time', { seconds: 3_600 })
    expect(body.now).toMatch(ISO)
    expect(Date.parse(body.now)).toBeGreaterThanOrEqual(before + 3_600_000 - 1_000)
  })

  test('makes the partitions of the next months', async () => {
    type Ready = { work: { job: string; lastProgressAt?: string }[] }
    await until(async () => {
      const { work } = (await system.as({}).get<Ready>('/ready')).body
      return work.some(({ job, lastProgressAt }) => job === 'make partitions' && lastProgressAt !== undefined)
    })
  })

  test('describes itself without a key', async () => {
    const nobody = system.as({})
    expect((await nobody.get('/health')).status).toBe(200)
    expect((await nobody.get('/ready')).status).toBe(200)
    expect((await nobody.get<string>('/metrics')).body).toContain('# HELP')
    expect((await nobody.get<{ openapi: string }>('/openapi.json')).body.openapi).toMatch(/^3\.1\./)
    const docs = await fetch(`${system.process.url}/docs`)
    expect([docs.status, docs.headers.get('content-type')?.split(';')[0]]).toEqual([200, 'text/html'])
    const networks: readonly Network[] = await system.networks()
    expect(networks).toHaveLength(4)
  })
})
