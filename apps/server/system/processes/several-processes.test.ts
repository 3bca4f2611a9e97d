import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BaseChain, startBaseChain } from '../../testing/chains/base-chain.ts'
import { type TestDatabase, testDatabase } from '../../testing/index.ts'
import { expectLedgerMatchesChain, expectValidLedger } from '../../testing/ledger/expect-ledger.ts'
import {
  type CollectedSpan,
  startTraceCollector,
  type TraceCollector,
} from '../../testing/stand-ins/trace-collector.ts'
import { USDC } from '../../testing/units.ts'
import { until } from '../../testing/until.ts'
import type { VenueList } from '../clients/api-types.ts'
import { createClient, type HttpClient, withKey } from '../clients/client.ts'
import { createWalletClient, type WalletClient } from '../clients/wallet-client.ts'
import { createContract } from '../money/contract.ts'
import {
  createDataDir,
  type Environment,
  type ServiceProcess,
  startProcess,
  startThatFails,
} from './service-process.ts'

/** An endpoint that refuses connections: a chain that is unavailable for the whole test. */
const NOBODY = 'http://rpc-user:rpc-password@127.0.0.1:1/v2/rpc-path-key?apikey=rpc-query-key'
const SECRET = 'several-processes-share-this-secret'
/** For what takes some seconds, on a busy machine. */
const PATIENCE_MS = 60_000
const CHAIN_JOBS = ['follow base', 'follow ethereum', 'follow polygon', 'follow solana']

interface Readiness {
  readonly checks: Readonly<Record<string, string>>
  readonly warnings?: readonly string[]
  readonly work?: readonly { readonly job: string; readonly worker: number; readonly lastProgressAt?: string }[]
}
interface Worker extends ServiceProcess {
  /** Its number, as in `GET /ready`. */
  readonly id: number
}

/** What it does to the processes and the chain cannot be done twice, and several waits may be long. */
const ONCE = { timeout: 300_000, retry: 0 }

let base: BaseChain
let database: TestDatabase
let collector: TraceCollector
let api: ServiceProcess
let credentials: { readonly profileApiKey: string; readonly baseUrl: string }
let client: HttpClient
const started: ServiceProcess[] = []
const folders: Awaited<ReturnType<typeof createDataDir>>[] = []

/** A process on a host of its own: it shares the database, the endpoints and the secrets, and no folder. */
async function settingsOf(own: Environment): Promise<Environment> {
  const folder = await createDataDir()
  folders.push(folder)
  return {
    DATA_DIR: folder.path,
    DATABASE_URL: database.url,
    BASE_RPC_URL: `${base.url}/?apikey=rpc-query-key`,
    BASE_CONFIRMATIONS: '1',
    ETHEREUM_RPC_URL: NOBODY,
    POLYGON_RPC_URL: NOBODY,
    SOLANA_RPC_URL: NOBODY,
    JWT_SECRET: SECRET,
    API_KEY_PEPPER: SECRET,
    ENCRYPTION_KEY: '0123456789abcdef'.repeat(4),
    RATE_LIMIT_MULTIPLIER: '10000',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20collector-token',
    ...own,
  }
}

async function start(role: string, own: Environment = {}): Promise<ServiceProcess> {
  const child = await startProcess(await settingsOf({ ROLE: role, ...own }))
  started.push(child)
  return child
}

const listed = { blockchain: 'base', kind: 'erc4626', name: 'Our own vault', source: 'https://vault.example' }

/** The setting that names a venue file with these entries. */
async function venuesFile(venues: readonly unknown[]): Promise<Environment> {
  const folder = await createDataDir()
  folders.push(folder)
  const path = join(folder.path, 'venues.json')
  await writeFile(path, JSON.stringify({ version: 1, venues }))
  return { VENUES_FILE: path }
}

async function startWorker(): Promise<Worker> {
  const child = await start('worker')
  const { id } = await database.db
    .selectFrom('workers')
    .select('id')
    .where('name', 'like', `% ${child.pid}`)
    .executeTakeFirstOrThrow()
  return { ...child, id }
}

async function readiness({ url }: ServiceProcess): Promise<Readiness> {
  const response = await fetch(`${url}/ready`)
  const text = await response.text()
  expect(response.status, text).toBe(200)
  return JSON.parse(text) as Readiness
}

/** The jobs of the chains by the number of the worker that runs them, as one process reports them. */
async function followers(of: ServiceProcess): Promise<Record<string, number>> {
  const { work = [] } = await readiness(of)
  return Object.fromEntries(work.filter(({ job }) => CHAIN_JOBS.includes(job)).map(({ job, worker }) => [job, worker]))
}

/** Waits until this worker follows every chain. */
const follows = (worker: Worker) =>
  until(async () => {
    expect(await followers(worker)).toEqual(Object.fromEntries(CHAIN_JOBS.map((job) => [job, worker.id])))
    return true
  }, PATIENCE_MS)

/**
 * Freezes the worker that follows the chain inside the transaction that settles a deposit to this wallet, before its
 * commit: it keeps the locks on its lease and on the wallet.
 */
async function freezeWhileSettling({ pid }: Worker, { walletId, walletAddress }: WalletClient): Promise<void> {
  const { db } = database
  const session = await db.transaction().execute(async (tx) => {
    // It does nothing until the worker waits for it.
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx)
    await tx.selectFrom('wallets').select('id').where('id', '=', walletId).forUpdate().execute()
    const { rows: own } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
    await base.fund(walletAddress, 5n * USDC)
    const waiting = await until(async () => {
      const { rows } = await sql<{ pid: number }>`
        select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
          and pg_blocking_pids(pid) @> array[${own[0]!.pid}::int]
      `.execute(db)
      return rows[0]
    }, PATIENCE_MS)
    process.kill(pid, 'SIGSTOP')
    return waiting.pid
  })
  await until(async () => {
    const { rows } = await sql<{ state: string }>`select state from pg_stat_activity where pid = ${session}`.execute(db)
    return rows[0]?.state === 'idle in transaction'
  }, PATIENCE_MS)
}

beforeAll(async () => {
  ;[base, database, collector] = await Promise.all([startBaseChain(), testDatabase(), startTraceCollector()])
  // The workers, which start later, know nothing about the file.
  const unreachable = { ...listed, blockchain: 'polygon', address: base.unlistedVault }
  api = await start('api', await venuesFile([{ ...listed, address: base.unlistedVault }, unreachable]))
  credentials = JSON.parse(await readFile(join(folders.at(-1)!.path, 'sandbox-credentials.json'), 'utf8'))
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
  await Promise.all([base?.stop(), collector?.close(), ...folders.map((folder) => folder.remove())])
})

test('a process that would embed a chain is refused while another one runs', async () => {
  const { SOLANA_RPC_URL: _embedded, ...settings } = await settingsOf({ ROLE: 'all' })
  const { code, err } = await startThatFails(settings)
  expect(code).toBe(1)
  expect(err).toMatch(/^DATABASE_URL .*: stop the other one, or set SOLANA_RPC_URL for every process\n$/)
})

test('a venue file ends the start with every entry that is malformed, or that its chain contradicts', async () => {
  const malformed = [
    { ...listed, address: '0x1' },
    { ...listed, kind: 'vault', address: base.unlistedVault },
  ]
  const early = await startThatFails(await settingsOf({ ROLE: 'api', ...(await venuesFile(malformed)) }))
  expect(early.code).toBe(1)
  expect(early.err).toMatch(/^VENUES_FILE venues\[0\] INVALID_ENTRY: .*\nVENUES_FILE venues\[1\] INVALID_ENTRY: .*\n$/)

  const nobody = `0x${'ab'.repeat(20)}`
  const wrong = [
    { ...listed, address: base.unlistedVault },
    { ...listed, address: nobody },
  ]
  const late = await startThatFails(await settingsOf({ ROLE: 'api', ...(await venuesFile(wrong)) }))
  expect(late.code).toBe(1)
  expect(late.err).toMatch(/^VENUES_FILE venues\[1\] NO_CONTRACT: there is no contract at 0x\w+ on base; correct/)
})

test('an entry whose chain is unavailable ends no start, and /ready says that it waits', async () => {
  expect((await readiness(api)).warnings).toEqual(['venues_waiting'])
})

test(
  'a worker that is frozen, and one that is killed, are replaced at once, and nothing happens twice',
  ONCE,
  async () => {
    const workers = await Promise.all([startWorker(), startWorker()])
    const { venues } = (await client.get<VenueList>('/v1/venues?blockchain=base')).body
    const strategy = venues.flatMap(({ strategies }) => strategies).find(({ name }) => name === listed.name)!

    // Both report the same division, without gaps; the process without work reports none.
    const ids = workers.map(({ id }) => id)
    const divided = await until(async () => {
      const [one, other] = await Promise.all(workers.map(followers))
      expect(other).toEqual(one)
      expect(Object.keys(one!)).toEqual(CHAIN_JOBS)
      expect(Object.values(one!).sort()).toEqual([ids[0], ids[0], ids[1], ids[1]].sort())
      return one!
    }, PATIENCE_MS)
    expect((await readiness(api)).work).toBeUndefined()
    expect((await readiness(workers[0])).checks).toMatchObject({ workers: 'ok', progress: 'ok' })

    const holders: WalletClient[] = []
    for (let made = 0; made < 2; made += 1) {
      const holder = await createWalletClient(client, 'base')
      holders.push(holder)
      await base.fund(holder.walletAddress, 100n * USDC)
    }
    const [first, second] = holders as [WalletClient, WalletClient]
    const funded = (holder: WalletClient) =>
      until(async () => (await holder.balance('USDC')).available === String(100n * USDC), PATIENCE_MS)
    await Promise.all(holders.map(funded))
    await first.supply(strategy, 40n * USDC)

    // The worker that follows the chain freezes while it settles a deposit, between two transactions of an operation.
    const frozen = workers.find(({ id }) => id === divided['follow base'])!
    const other = workers.find(({ id }) => id !== frozen.id)!
    const supply = await second.planSupply(strategy, 30n * USDC)
    expect(supply.transactions).toHaveLength(2)
    await second.submit(supply, supply.transactions[0]!)
    await freezeWhileSettling(frozen, first)
    await second.submit(supply, supply.transactions[1]!)
    await until(async () => (await second.read(supply.operationId)).status === 'CONFIRMED', PATIENCE_MS)
    await follows(other)

    // It wakes, and takes its share back; then the other one dies with an operation under way.
    process.kill(frozen.pid, 'SIGCONT')
    await until(
      async () => Object.values(await followers(frozen)).filter((id) => id === frozen.id).length === 2,
      PATIENCE_MS,
    )
    const unwind = await second.planUnwind(strategy, 10n * USDC)
    await second.submit(unwind, unwind.transactions[0]!)
    await other.end('SIGKILL')
    await first.supply(strategy, 20n * USDC)
    await second.waitForStatus(unwind.operationId, 'CONFIRMED')
    await follows(frozen)
    await until(async () => (await first.balance('USDC')).available === String(45n * USDC), PATIENCE_MS)

    const { db } = database
    await expectValidLedger({ db })
    await expectLedgerMatchesChain({ db, chain: base.chain })
    const { rows: twice } = await sql`
    select event, object_type, object_id, count(*) from outbox
    where event like 'operation.%' or event like 'transaction.%' group by 1, 2, 3 having count(*) > 1
  `.execute(db)
    expect(twice).toEqual([])
    const completed = await db
      .selectFrom('outbox')
      .select('object_id')
      .where('event', '=', 'operation.completed')
      .execute()
    expect(completed).toHaveLength(4)
    // Two supplies with an approval each, and a withdrawal: what was planned was sent once.
    expect(await Promise.all(holders.map(({ walletAddress }) => base.nonceOf(walletAddress)))).toEqual([4, 3])
    // Only the process that serves requests issued credentials.
    expect(started.map(({ lines }) => lines.some((line) => line.startsWith('sandbox credentials')))).toEqual([
      true,
      false,
      false,
    ])
    for (const child of [frozen, api]) expect(await child.end(), child.errors()).toBe(0)
  },
)

test('the processes above sent one trace for an operation, and no secret', async () => {
  const spans = collector.spans()
  const processOf = ({ resource }: CollectedSpan) => resource['process.pid']
  const planned = spans.filter(({ name }) => name === 'operation planned')
  expect(planned.map(processOf)).toEqual([api.pid, api.pid, api.pid, api.pid])
  // The worker that was killed took its last spans along.
  const settled = spans.filter(({ name }) => name.startsWith('operation settled'))
  expect(settled.length).toBeGreaterThan(0)
  for (const span of settled) {
    expect(processOf(span)).not.toBe(api.pid)
    const first = planned.find(({ traceId }) => traceId === span.traceId)
    expect(span.parentSpanId).toBe(first?.spanId)
    const cause = spans.find(({ spanId }) => spanId === span.links[0]!.spanId)
    expect(cause?.name).toBe('transaction')
  }
  expect(spans.some(({ attributes, failure }) => attributes['server.port'] === 1 && failure !== undefined)).toBe(true)

  const sent = collector.requests.map(({ body }) => body).join('')
  expect(collector.requests[0]!.headers.authorization).toBe('Bearer collector-token')
  const secrets = [
    /rpc-\w/,
    /collector-token/,
    /0123456789abcdef/,
    /select |insert into/i,
    SECRET,
    credentials.profileApiKey,
  ]
  expect(secrets.filter((secret) => sent.search(secret) >= 0)).toEqual([])
})
