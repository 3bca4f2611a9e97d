import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { emptyDatabase } from '../../testing/index.ts'
import { KEY_SERVICE_ENV } from '../../testing/stand-ins/key-service.ts'
import { until } from '../../testing/until.ts'
import type { AllocationList, Operation, WalletList } from '../clients/api-types.ts'
import { withKey } from '../clients/client.ts'
import { createFundedWalletClient } from '../clients/wallet-client.ts'
import { type System, startSystem } from '../service/start-system.ts'
import { createDataDir, environmentOf, processesOf, startThatFails, watch } from './service-process.ts'

const TOKEN = 1_000_000n
const REPOSITORY = fileURLToPath(new URL('../../../..', import.meta.url))

describe('a running service', () => {
  let system: System
  beforeAll(async () => {
    system = await startSystem({ LOG_LEVEL: 'silent' })
  })
  afterAll(() => system?.stop())

  test('prints where its credentials are, and last that it is ready, at every LOG_LEVEL', async () => {
    const { lines, url } = system.process
    const path = join(system.dataDir, 'sandbox-credentials.json')
    expect(lines.at(-1)).toBe(`ready ${url}`)
    expect(lines.at(-2)).toContain(path)
    expect(lines.filter((line) => line.startsWith('ready '))).toHaveLength(1)
    expect(system.process.errors()).toBe('')
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect(Object.keys(JSON.parse(await readFile(path, 'utf8')))).toEqual([
      'baseUrl',
      'email',
      'password',
      'organizationApiKey',
      'profileApiKey',
      'adminApiKey',
    ])
    expect(system.credentials.baseUrl).toBe(url)
  })

  test('refuses a second process in its folder with one line', async () => {
    const { code, err } = await startThatFails({ DATA_DIR: system.dataDir })
    expect(code).toBe(1)
    expect(err.trim().split('\n')).toHaveLength(1)
    expect((await system.profile.get('/v1/venues')).status).toBe(200)
  })

  test('keeps keys, wallets, plans, positions and chains over a clean restart', async () => {
    const aave = await system.strategy('base', 'Aave V3 USDC')
    const holder = await createFundedWalletClient(system.profile, 'base', 30n * TOKEN)
    const done = await holder.supply(aave, 10n * TOKEN)
    const waiting = await holder.planSupply(aave, 5n * TOKEN)
    const balance = await holder.balance('USDC')
    const keys = system.credentials
    await system.restart()
    expect(system.process.lines.filter((line) => /is new|not there/.test(line))).toEqual([])
    expect({ ...system.credentials, baseUrl: '' }).toEqual({ ...keys, baseUrl: '' })
    expect(await holder.read(waiting.operationId)).toEqual(waiting)
    expect((await holder.read(done.operationId)).status).toBe('CONFIRMED')
    expect((await holder.allocations()).allocations).toMatchObject([{ principal: '10000000' }])
    expect(await holder.balance('USDC')).toMatchObject({ available: balance.available, reserved: balance.reserved })
    await holder.carryOut(waiting)
    await holder.carryOut(await holder.planUnwind(aave, 'full'))
    expect(await holder.allocations()).toMatchObject({ allocations: [] })
  })

  test('reports a chain that lost its state, resets it, and continues', async () => {
    const aave = await system.strategy('polygon', 'Aave V3 USDC')
    const holder = await createFundedWalletClient(system.profile, 'polygon', 30n * TOKEN)
    await holder.supply(aave, 10n * TOKEN)
    const waiting = await holder.planSupply(aave, 5n * TOKEN)
    await system.restart({ between: () => rm(join(system.dataDir, 'chains', 'polygon.json')) })
    expect(system.process.lines.filter((line) => line.startsWith('polygon: '))).toEqual([
      expect.stringContaining('is new'),
    ])
    expect(await holder.balance('USDC')).toMatchObject({ available: '0', reserved: '0', deployed: '0' })
    expect(await holder.allocations()).toEqual({ allocations: [], totalValue: '0', totalYieldEarned: '0' })
    expect((await holder.read(waiting.operationId)).status).toBe('FAILED')
    const again = await system.strategy('polygon', 'Aave V3 USDC')
    expect(again.strategyId).toBe(aave.strategyId)
    await holder.fund('USDC', 20n * TOKEN)
    await holder.supply(again, 20n * TOKEN)
    expect((await holder.allocations()).allocations).toMatchObject([{ principal: '20000000' }])
  })

  test('leaves no process behind when it is killed, and recovers at the next start', async () => {
    const aave = await system.strategy('ethereum', 'Aave V3 USDC')
    const holder = await createFundedWalletClient(system.profile, 'ethereum', 30n * TOKEN)
    await holder.supply(aave, 10n * TOKEN)
    await system.restart({
      signal: 'SIGKILL',
      between: () => until(async () => (await processesOf(system.dataDir)).length === 0),
    })
    expect((await system.as({}).get('/ready')).status).toBe(200)
    const wallets = await system.profile.get<WalletList>('/v1/wallets?blockchain=ethereum')
    expect(wallets.body.wallets.map(({ walletAddress }) => walletAddress)).toContain(holder.walletAddress)
    // Even if the chain lost its last blocks, the ledger matches the chain and everything works.
    await holder.fund('USDC', 5n * TOKEN)
    await holder.supply(await system.strategy('ethereum', 'Aave V3 USDC'), 5n * TOKEN)
    const list: AllocationList = await holder.allocations()
    expect(list.allocations).toHaveLength(1)
    const full: Operation = await holder.planUnwind(aave, 'full')
    await holder.carryOut(full)
    expect(await holder.balance('USDC')).toMatchObject({ reserved: '0', deployed: '0' })
  })
})

describe('npm start', () => {
  test.each(['SIGINT', 'SIGTERM'] as const)('stops everything it started when %s reaches npm only', async (signal) => {
    const folder = await createDataDir()
    // Skips the pre-script: it could reinstall packages while other tests use them.
    const child = spawn('npm', ['start', '--ignore-scripts'], {
      cwd: REPOSITORY,
      env: environmentOf({ DATA_DIR: folder.path }),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    try {
      const started = await watch(child)
      const { profileApiKey } = JSON.parse(await readFile(join(folder.path, 'sandbox-credentials.json'), 'utf8')) as {
        profileApiKey: string
      }
      const response = await fetch(`${started.url}/v1/venues`, { headers: withKey(profileApiKey) })
      expect(response.status).toBe(200)
      await response.body?.cancel()
      expect((await processesOf(folder.path)).length).toBeGreaterThan(3)
      await started.end(signal)
      await until(async () => (await processesOf(folder.path)).length === 0)
      await expect(fetch(`${started.url}/health`)).rejects.toThrow()
      expect(started.lines.slice(-2)).toEqual([`ready ${started.url}`, 'stopping'])
    } finally {
      child.kill('SIGKILL')
      await folder.remove()
    }
  })
})

test('a service whose output is no longer read still stops cleanly, even with repeated signals', async () => {
  const folder = await createDataDir()
  const child = spawn(process.execPath, ['src/main.ts'], {
    cwd: join(REPOSITORY, 'apps/server'),
    env: environmentOf({ DATA_DIR: folder.path }),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  try {
    const started = await watch(child)
    child.stdout.destroy()
    child.kill('SIGINT')
    expect({ code: await started.end(), err: started.errors() }).toEqual({ code: 0, err: '' })
    expect(await processesOf(folder.path)).toEqual([])
  } finally {
    child.kill('SIGKILL')
    await folder.remove()
  }
})

describe('wrong settings stop the start with code 1 and one line for each that names it:', () => {
  /** The first words of the lines on stderr; nothing else is printed. */
  async function complaints(settings: Record<string, string>): Promise<string[]> {
    const folder = await createDataDir()
    try {
      const { code, out, err } = await startThatFails({ DATA_DIR: folder.path, ...settings })
      expect({ code, out }).toEqual({ code: 1, out: '' })
      expect(err).not.toMatch(/\n\s+at |very-secret-password|node:/)
      return err
        .trim()
        .split('\n')
        .map((line) => line.split(' ', 1)[0]!)
    } finally {
      await folder.remove()
    }
  }

  test('one', async () => {
    expect(await complaints({ PORT: 'abc' })).toEqual(['PORT'])
  })

  test('many', async () => {
    const wrong = {
      PORT: '70000',
      HOST: 'not a host',
      ROLE: 'boss',
      PUBLIC_URL: 'example.com',
      PREVIEW: 'maybe',
      LOG_LEVEL: 'loud',
      RATE_LIMIT_MULTIPLIER: '-1',
      DATABASE_URL: 'mysql://user:very-secret-password@host/name',
      REDIS_URL: 'http://x',
      ETHEREUM_RPC_URL: 'ws//x',
      JWT_SECRET: 'short',
      ENCRYPTION_KEY: 'xyz',
    }
    expect((await complaints(wrong)).sort()).toEqual(Object.keys(wrong).sort())
  })

  test('those that live requires', async () => {
    expect((await complaints({ SERVICE_ENV: 'live' })).sort()).toEqual([
      'API_KEY_PEPPER',
      'DATABASE_URL',
      'ENCRYPTION_KEY',
      'ETHEREUM_RPC_URL',
      'JWT_SECRET',
    ])
  })

  test.each(['/proc/weir/data', '/proc', '/dev/null/data'])('a DATA_DIR that is not writable: %s', async (path) => {
    const { code, out, err } = await startThatFails({ DATA_DIR: path })
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toMatch(/^DATA_DIR .*cannot be written to: .*\n$/)
  })

  test('a port that is in use, before anything is started or written', async () => {
    const folder = await createDataDir()
    const before = await readdir(folder.path)
    const other = createServer().listen(0, '127.0.0.1')
    try {
      await once(other, 'listening')
      const { port } = other.address() as AddressInfo
      expect(await startThatFails({ DATA_DIR: folder.path, PORT: String(port) })).toEqual({
        code: 1,
        out: '',
        err: `PORT: ${port} on 127.0.0.1 is in use; choose another with PORT\n`,
      })
      expect(await readdir(folder.path)).toEqual(before)
    } finally {
      other.close()
      await folder.remove()
    }
  })

  test('an unavailable database, reported without its password', async () => {
    const folder = await createDataDir()
    try {
      const DATABASE_URL = 'postgres://user:very-secret-password@127.0.0.1:1/none'
      const { code, err } = await startThatFails({ DATABASE_URL, DATA_DIR: folder.path })
      expect(code).toBe(1)
      expect(err.trim().split('\n')).toHaveLength(1)
      expect(err).not.toMatch(/\n\s+at |very-secret-password/)
    } finally {
      await folder.remove()
    }
  })

  test('a key service that cannot be reached, in one line', async () => {
    const folder = await createDataDir()
    const { url, drop } = await emptyDatabase()
    try {
      const { code, err } = await startThatFails({
        DATABASE_URL: url,
        DATA_DIR: folder.path,
        ENCRYPTION_KMS_KEY_ID: 'alias/weir',
        AWS_ENDPOINT_URL_KMS: 'http://127.0.0.1:1',
        ...KEY_SERVICE_ENV,
      })
      expect({ code, err }).toEqual({
        code: 1,
        err: expect.stringMatching(/^ENCRYPTION_KMS_KEY_ID: AWS KMS could not .*ECONNREFUSED.*\n$/),
      })
    } finally {
      await drop()
      await folder.remove()
    }
  })
})
