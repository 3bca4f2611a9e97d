import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, stat } from 'node:fs/promises'
import { request } from 'node:http'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Chain } from '../../src/chains/index.ts'
import { readConfig } from '../../src/config.ts'
import { silentLog, systemClock } from '../../src/kernel/index.ts'
import { startChains } from '../../src/main/start/start-chains.ts'
import type { EmbeddedChains, SandboxChain } from '../../src/sandbox/index.ts'
import { until } from '../../testing/until.ts'
import { blockOf } from '../documents/documented-blocks.ts'
import { createDataDir, environmentOf, type ServiceProcess, watch } from './service-process.ts'

const PROGRAM = fileURLToPath(new URL('../../src/main/chains.ts', import.meta.url))
/** Only Base is embedded: it behaves as the others do. */
const ELSEWHERE = {
  ETHEREUM_RPC_URL: 'http://127.0.0.1:1',
  POLYGON_RPC_URL: 'http://127.0.0.1:1',
  SOLANA_RPC_URL: 'http://127.0.0.1:1',
}

let folder: Awaited<ReturnType<typeof createDataDir>>
let served: ServiceProcess
let port = '0'
const file = () => join(folder.path, 'chains.json')

async function serve(): Promise<void> {
  const settings = { ...ELSEWHERE, DATA_DIR: folder.path, CHAINS_PORT: port, ROLE: 'worker', CHAINS_FILE: file() }
  served = await watch(
    spawn(process.execPath, [PROGRAM], { env: environmentOf(settings), stdio: ['ignore', 'pipe', 'pipe'] }),
  )
  port = new URL(served.url).port
}

/** The settings that docs/sandbox.md gives a process of this role, with what a page cannot know. */
function documented(role: 'api' | 'worker'): Record<string, string> {
  const { code } = blockOf('docs/sandbox.md', 'weir chains')
  const line = code.split('\n').find((one) => one.includes(`ROLE=${role} weir start`))
  const settings = Object.fromEntries(
    [...(line ?? '').matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => [name!, value!]),
  )
  return {
    ...settings,
    DATABASE_URL: 'postgres://127.0.0.1/none',
    CHAINS_FILE: join(folder.path, basename(settings.CHAINS_FILE!)),
  }
}

/** The chains as a process of the service has them, which knows the wallets given. */
async function connect(
  ...registered: string[]
): Promise<{ embedded: EmbeddedChains; base: SandboxChain; chain: Chain }> {
  const config = readConfig({ ...ELSEWHERE, ...documented('api') })
  const { embedded } = await startChains(config, {
    clock: systemClock,
    log: silentLog,
    isRegistered: async (_blockchain, address) => registered.includes(address),
    onExit: () => {},
  })
  return { embedded: embedded!, base: embedded!.sandbox.get('base')!, chain: embedded!.chains.get('base')! }
}

/** Signs a payment of the treasury, whose key is public. */
async function payment({ treasury }: SandboxChain, amount: bigint): Promise<{ raw: string; hash: string }> {
  const prepared = await treasury.prepare([{ token: 'native', to: treasury.address, amount }])
  return prepared.sign(prepared.nextNumber, { token: 'native', to: treasury.address, amount })
}

beforeAll(async () => {
  folder = await createDataDir()
  await serve()
})
afterAll(async () => {
  await served?.end('SIGKILL')
  await folder?.remove()
})

test('processes share the chains: what one does to them, the others see', async () => {
  expect(served.lines).toEqual([`base ${served.url}/rpc/base`, `chains file: ${file()}`, `ready ${served.url}`])
  const [one, other] = [await connect(), await connect()]
  expect(other.base.genesisHash).toBe(one.base.genesisHash)
  expect(other.embedded.seeds.length).toBeGreaterThan(0)

  const before = await one.base.dev.head()
  const after = await other.base.dev.increaseTime(3_600)
  expect(after.number).toBe(before.number + 1)
  expect(await one.base.dev.head()).toEqual(after)

  const key = 'aave-v3:base:USDC'
  expect(await one.base.venueStates.setStrategyState(key, { frozen: true })).toMatchObject({ frozen: true })
  expect(await other.base.venueStates.strategyState(key)).toMatchObject({ frozen: true, liquidity: expect.any(BigInt) })
  await expect(other.base.venueStates.strategyState('no such')).rejects.toMatchObject({ name: 'StateNotSupported' })
})

test('a fault counts for all processes, and affects the wallets that the sender of the bytes has registered', async () => {
  const stranger = await connect()
  const owner = await connect(stranger.base.treasury.address)
  await owner.base.dev.setFault('rpc_down', 1)
  expect(await stranger.base.dev.remainingFaults('rpc_down')).toBe(1)
  await expect(stranger.chain.heads()).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
  expect(await owner.base.dev.remainingFaults('rpc_down')).toBe(0)

  await stranger.base.dev.setFault('drop_next', 1)
  const { raw, hash } = await payment(owner.base, 1n)
  expect(await owner.chain.broadcast(raw)).toEqual({ outcome: 'accepted' })
  expect(await owner.chain.findTransactions([hash])).toEqual([undefined])
  await stranger.base.dev.setFault('drop_next', 1)
  expect(await owner.base.faultFree.broadcast(raw)).toEqual({ outcome: 'accepted' })
  const next = await payment(owner.base, 2n)
  expect(await stranger.chain.broadcast(next.raw)).toEqual({ outcome: 'accepted' })
  const found = await until(async () => {
    const [first, second] = await owner.chain.findTransactions([hash, next.hash])
    return first && second
  })
  expect(found).toBeDefined()
  expect(await owner.base.dev.remainingFaults('drop_next')).toBe(1)
  await owner.base.dev.setFault('drop_next', 0)
})

test('one process at a time moves the clocks, and one that dies in its turn holds up nobody', async () => {
  const [one, other] = [await connect(), await connect()]
  const { secret } = JSON.parse(await readFile(file(), 'utf8'))
  const dying = request(`${served.url}/exclusive`, {
    method: 'POST',
    headers: { 'x-weir-chains': secret },
    agent: false,
  })
  dying.on('error', () => undefined).end()
  await once(dying, 'response')
  await one.base.heartbeat.pause()
  const order: string[] = []
  const turn = (name: string, { embedded, base }: Awaited<ReturnType<typeof connect>>) =>
    embedded.runExclusive(async () => {
      await base.heartbeat.pause()
      order.push(`${name} begins`)
      await base.dev.mine(1)
      order.push(`${name} ends`)
    })
  const turns = [turn('one', one)]
  expect(await Promise.race([turns[0], one.base.dev.head().then(() => 'waits')])).toBe('waits')
  turns.push(turn('other', other))
  expect(order).toEqual([])
  dying.destroy()
  await Promise.all(turns)
  expect([order.slice(0, 2), order.slice(2)].sort()).toEqual([
    ['one begins', 'one ends'],
    ['other begins', 'other ends'],
  ])
  // The end of a turn reaches the chains a moment later.
  const isRefused = (error: Error) => error.message.startsWith('Only the holder')
  await until(() => one.base.heartbeat.pause().then(() => false, isRefused))
})

test('others on the machine may only call public methods, under a loopback name', async () => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] })
  const json = { 'content-type': 'application/json' }
  const ask = (path: string, headers: Record<string, string>, text = body) =>
    new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
      const asking = request(`${served.url}${path}`, { method: 'POST', headers, agent: false }, async (response) => {
        const chunks = await response.toArray()
        resolve({ status: response.statusCode, text: Buffer.concat(chunks).toString() })
      })
      asking.on('error', reject).end(text)
    })
  expect(JSON.parse((await ask('/rpc/base', json)).text)).toMatchObject({ result: '0x7a6b' })
  const mine = body.replace('eth_chainId', 'evm_mine')
  expect(JSON.parse((await ask('/rpc/base', json, mine)).text)).toMatchObject({ error: { code: -32_601 } })
  expect(await ask('/rpc/base', { ...json, host: 'rebound.example' })).toMatchObject({ status: 403 })
  expect(await ask('/rpc/base', { 'content-type': 'text/plain' })).toMatchObject({ status: 403 })
  for (const path of ['/chain/base', '/fault-free/base', '/control', '/exclusive']) {
    expect(await ask(path, json), path).toMatchObject({ status: 403 })
    expect(await ask(path, { ...json, 'x-weir-chains': '0'.repeat(64) }), path).toMatchObject({ status: 403 })
  }
  expect((await stat(file())).mode & 0o777).toBe(0o600)
})

test('docs/sandbox.md starts the chains, and one process of each role on them', () => {
  expect(blockOf('docs/sandbox.md', 'weir chains').code).toMatch(/^weir chains +#/)
  for (const role of ['api', 'worker'] as const)
    expect(readConfig({ ...ELSEWHERE, ...documented(role) })).toMatchObject({ role, chainsFile: file() })
})

test('processes go on after the chains were killed and started again', async () => {
  const one = await connect()
  const { number } = await one.base.dev.head()
  await served.end('SIGKILL')
  await expect(one.base.dev.head()).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
  await expect(one.embedded.runExclusive(async () => undefined)).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
  expect(await one.base.dev.proxy.handle({ jsonrpc: '2.0', id: 1, method: 'eth_chainId' })).toHaveProperty('error')
  await expect(connect()).rejects.toThrow(/^CHAINS_FILE: no chains respond at .*: start them with weir chains$/)
  await serve()
  expect((await one.base.dev.head()).number).toBeGreaterThanOrEqual(number)
  expect(await served.end()).toBe(0)
})
