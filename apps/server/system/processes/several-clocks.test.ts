import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BaseChain, startBaseChain } from '../../testing/chains/base-chain.ts'
import { type TestDatabase, testDatabase } from '../../testing/index.ts'
import { USDC } from '../../testing/units.ts'
import { until } from '../../testing/until.ts'
import type { VenueList } from '../clients/api-types.ts'
import { createClient, type HttpClient, withKey } from '../clients/client.ts'
import { createWalletClient } from '../clients/wallet-client.ts'
import { createContract } from '../money/contract.ts'
import { createDataDir, type Environment, type ServiceProcess, startProcess } from './service-process.ts'

/** An endpoint that refuses connections: a chain that is unavailable for the whole test. */
const NOBODY = 'http://127.0.0.1:1'
const SECRET = 'processes-with-several-clocks-share-this-secret'
const HOUR = 3_600_000
/** For what takes some seconds, on a busy machine. */
const PATIENCE_MS = 60_000
const MESSAGE = 'the clocks of this process and of the database differ: this process ends nothing because of the time'

let base: BaseChain
let database: TestDatabase
let api: ServiceProcess
let client: HttpClient
const started: ServiceProcess[] = []
const folders: Awaited<ReturnType<typeof createDataDir>>[] = []

/** A process on a host of its own, whose clock is ahead by so many milliseconds. */
async function start(role: string, aheadMs = 0): Promise<ServiceProcess> {
  const folder = await createDataDir()
  folders.push(folder)
  const settings: Environment = {
    ROLE: role,
    DATA_DIR: folder.path,
    DATABASE_URL: database.url,
    BASE_RPC_URL: base.url,
    BASE_CONFIRMATIONS: '1',
    ETHEREUM_RPC_URL: NOBODY,
    POLYGON_RPC_URL: NOBODY,
    SOLANA_RPC_URL: NOBODY,
    JWT_SECRET: SECRET,
    API_KEY_PEPPER: SECRET,
    ENCRYPTION_KEY: '0123456789abcdef'.repeat(4),
    RATE_LIMIT_MULTIPLIER: '10000',
    ...(aheadMs !== 0 && { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(clockAhead(aheadMs))}` }),
  }
  const child = await startProcess(settings)
  started.push(child)
  return child
}

/** What a host's wrong clock looks like to a process: every date that it makes, before its first module runs. */
const clockAhead = (milliseconds: number) => `
  const Real = Date
  globalThis.Date = class extends Real {
    constructor(...parts) { super(...(parts.length === 0 ? [Real.now() + ${milliseconds}] : parts)) }
    static now() { return Real.now() + ${milliseconds} }
  }`

interface Readiness {
  readonly warnings?: readonly string[]
  readonly work?: readonly { readonly job: string; readonly worker: number }[]
}
async function readiness({ url }: ServiceProcess): Promise<Readiness> {
  const response = await fetch(`${url}/ready`)
  const text = await response.text()
  expect(response.status, text).toBe(200)
  return JSON.parse(text) as Readiness
}
async function metric({ url }: ServiceProcess, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  return Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${name} `))!
      .split(' ')[1],
  )
}
/** The number of a process, by which others name it. */
const numberOf = async ({ pid }: ServiceProcess) =>
  (await database.db.selectFrom('workers').select('id').where('name', 'like', `% ${pid}`).executeTakeFirstOrThrow()).id
const holderOf = async (job: string, seenBy: ServiceProcess) =>
  (await readiness(seenBy)).work?.find((one) => one.job === job)?.worker

beforeAll(async () => {
  ;[base, database] = await Promise.all([startBaseChain(), testDatabase()])
  api = await start('api')
  const credentials = JSON.parse(await readFile(join(folders[0]!.path, 'sandbox-credentials.json'), 'utf8'))
  const contract = createContract((await (await fetch(`${api.url}/openapi.json`)).json()) as never)
  client = createClient(
    () => api.url,
    () => contract,
    withKey(credentials.profileApiKey),
  )
})
afterAll(async () => {
  await Promise.all(started.map((child) => child.end('SIGKILL')))
  await database?.close()
  await Promise.all([base?.stop(), ...folders.map((folder) => folder.remove())])
})

test('a worker whose clock is an hour ahead expires nothing, says so, and leaves the work to another one', async () => {
  // The workers of a first attempt would take part in the work.
  await Promise.all(started.splice(1).map((child) => child.end('SIGKILL')))
  const wrong = await start('worker', HOUR)
  const { warnings } = await readiness(wrong)
  expect(warnings).toContain('clock_differs')
  expect(await metric(wrong, 'weir_clock_difference_seconds')).toBeCloseTo(3_600, -1)
  expect((await readiness(api)).warnings ?? []).not.toContain('clock_differs')
  expect(Math.abs(await metric(api, 'weir_clock_difference_seconds'))).toBeLessThan(30)

  // Alone, it follows chains: a deposit is found. What ends by time has no holder.
  const wrongNumber = await numberOf(wrong)
  await until(async () => (await holderOf('follow base', wrong)) === wrongNumber, PATIENCE_MS)
  const holder = await createWalletClient(client, 'base')
  await base.fund(holder.walletAddress, 100n * USDC)
  await until(async () => (await holder.balance('USDC')).available === String(100n * USDC), PATIENCE_MS)
  expect(await holderOf('expire operations', wrong)).toBeUndefined()
  expect(await holderOf('delete old rows', wrong)).toBeUndefined()

  const { venues } = (await client.get<VenueList>('/v1/venues?blockchain=base')).body
  const strategy = venues.flatMap(({ strategies }) => strategies).find(({ name }) => name === base.vault)!
  const plan = await holder.planSupply(strategy, 40n * USDC)
  // By the wrong clock it is overdue, and the worker goes on with other work.
  expect(Date.parse(plan.expiresAt!) - Date.now()).toBeLessThan(HOUR)
  await base.fund(holder.walletAddress, 1n * USDC)
  await until(async () => (await holder.balance('USDC')).available !== String(60n * USDC), PATIENCE_MS)
  expect((await holder.read(plan.operationId)).status).toBe(plan.status)

  const right = await start('worker')
  const rightNumber = await numberOf(right)
  for (const job of ['expire operations', 'delete old rows', 'follow base'])
    await until(async () => (await holderOf(job, right)) === rightNumber, PATIENCE_MS)
  await until(async () => (await holderOf('follow base', wrong)) === rightNumber, PATIENCE_MS)
  expect((await readiness(right)).warnings ?? []).not.toContain('clock_differs')

  expect((await holder.carryOut(plan)).status).toBe('CONFIRMED')
  expect(wrong.errors().split(MESSAGE)).toHaveLength(2)
  expect(right.errors()).not.toContain(MESSAGE)
  for (const child of [wrong, right, api]) expect(await child.end(), child.errors()).toBe(0)
}, 300_000)
