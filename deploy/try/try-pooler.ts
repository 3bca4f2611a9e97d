// Puts the real PgBouncer between the service and PostgreSQL, in session mode and in transaction mode, takes the loop
// of `npm run tour` through it, and kills it once. `npm run test:deploy` runs it. Needs Debian's pgbouncer, or another by
// its path in PGBOUNCER; transaction mode needs version 1.21, as in Debian 13.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '@weir/devnet/free-port'
import { startEmbeddedPostgres } from '../../apps/server/src/database/index.ts'
import { silentLog } from '../../apps/server/src/kernel/index.ts'
import {
  createDataDir,
  environmentOf,
  type ServiceProcess,
  startProcess,
  watch,
} from '../../apps/server/system/processes/service-process.ts'
import { runStatement } from '../../apps/server/testing/database/databases.ts'
import { until } from '../../apps/server/testing/until.ts'
import type { Credentials } from '../../apps/server/tour/client.ts'
import { tourLoop } from '../../apps/server/tour/loop.ts'

type Mode = 'session' | 'transaction'
interface Pooler {
  /** DATABASE_URL of a process that goes through it. */
  readonly url: string
  start(): Promise<void>
  end(signal?: NodeJS.Signals): Promise<unknown>
}

const PROGRAM = process.env.PGBOUNCER ?? '/usr/sbin/pgbouncer'
const CHAINS = fileURLToPath(new URL('../../apps/server/src/main/chains.ts', import.meta.url))
/** PgBouncer refuses to run as root. */
const NOBODY = 65_534
const SECRETS = {
  JWT_SECRET: 'a-secret-that-both-processes-share',
  API_KEY_PEPPER: 'a-secret-that-both-processes-share',
  ENCRYPTION_KEY: '0123456789abcdef'.repeat(4),
}
const say = (line: string) => console.log(`try-pooler: ${line}`)

const [, major = '0', minor = '0'] =
  /PgBouncer (\d+)\.(\d+)/.exec(spawnSync(PROGRAM, ['--version']).stdout?.toString() ?? '') ?? []
if (major === '0') {
  say('PgBouncer WAS SKIPPED: apt-get install --no-install-recommends pgbouncer')
  process.exit(77)
}
const folder = await createDataDir()
const place = mkdtempSync(join(tmpdir(), 'weir-try-pooler-'))
chmodSync(place, 0o755)
const server = await startEmbeddedPostgres({ dataDir: folder.path, log: silentLog, survivesPowerLoss: false })
const processes: { end(signal?: NodeJS.Signals): Promise<unknown> }[] = []
try {
  await trySession()
  const preparesStatements = Number(major) > 1 || Number(minor) >= 21
  if (preparesStatements) await tryTransaction()
  else say(`transaction mode WAS SKIPPED: it needs PgBouncer 1.21, and this is ${major}.${minor}`)
  say(`PASSED with PgBouncer ${major}.${minor}: ${preparesStatements ? 'session and transaction' : 'session'} mode`)
} finally {
  for (const each of processes) await each.end('SIGKILL')
  await server.stop()
  await folder.remove()
  rmSync(place, { recursive: true, force: true })
}

/** One process that does everything. */
async function trySession(): Promise<void> {
  const pooler = await createPooler('session', await createDatabase('weir_session'))
  await pooler.start()
  const data = await createDataDir()
  const service = await start({ DATA_DIR: data.path, DATABASE_URL: pooler.url })
  await tryOut('session', pooler, service, data.path)
  assert.equal(await service.end(), 0, 'the service stops cleanly')
  await pooler.end('SIGTERM')
  await data.remove()
}

/** The API goes through the pooler; a worker with a direct connection migrates and does the work. */
async function tryTransaction(): Promise<void> {
  const direct = await createDatabase('weir_transaction')
  const pooler = await createPooler('transaction', direct)
  await pooler.start()
  const [shared, data, other] = [await createDataDir(), await createDataDir(), await createDataDir()]
  const file = join(shared.path, 'chains.json')
  const settings = environmentOf({ DATA_DIR: shared.path, ROLE: 'worker', CHAINS_FILE: file })
  const chains = await watch(spawn(process.execPath, [CHAINS], { env: settings, stdio: ['ignore', 'pipe', 'pipe'] }))
  processes.push(chains)
  const common = { ...SECRETS, CHAINS_FILE: file }
  const worker = await start({ ...common, DATA_DIR: other.path, ROLE: 'worker', DATABASE_URL: direct })
  const api = await start({ ...common, DATA_DIR: data.path, ROLE: 'api', DATABASE_URL: pooler.url })
  await tryOut('transaction', pooler, api, data.path)
  for (const child of [api, worker, chains])
    assert.equal(await child.end(), 0, `a process stops cleanly: ${child.errors()}`)
  await pooler.end('SIGTERM')
  for (const each of [shared, data, other]) await each.remove()
}

async function tryOut(mode: Mode, pooler: Pooler, service: ServiceProcess, data: string): Promise<void> {
  const written = JSON.parse(readFileSync(join(data, 'sandbox-credentials.json'), 'utf8')) as Credentials
  const credentials = { ...written, baseUrl: service.url }
  const lines: string[] = []
  await tourLoop({ credentials }, (line) => lines.push(line))
  say(
    `${mode} mode: ${lines
      .filter((line) => line.trim() !== '')
      .at(-1)
      ?.trim()}`,
  )

  await pooler.end('SIGKILL')
  await until(async () => (await fetch(`${service.url}/ready`)).status === 503)
  await pooler.start()
  await until(async () => (await fetch(`${service.url}/ready`)).status === 200)
  const read = await fetch(`${service.url}/v1/operations`, { headers: { 'x-api-key': credentials.profileApiKey } })
  assert.equal(read.status, 200)
  assert.ok(((await read.json()) as { total: number }).total >= 8, 'what the tour did is there')
  const failures = service
    .errors()
    .split('\n')
    .filter((line) => /prepared statement|unsupported|unrecognized/i.test(line))
  assert.deepEqual(failures, [])
  say(`${mode} mode: the loop on four chains, and a killed pooler`)
}

async function createPooler(mode: Mode, database: string): Promise<Pooler> {
  const port = await freePort()
  const { hostname, port: behind, username, password, pathname } = new URL(database)
  const [file, users] = [join(place, `${mode}.ini`), join(place, `${mode}.txt`)]
  writeFileSync(users, `"${username}" "${decodeURIComponent(password)}"\n`)
  writeFileSync(
    file,
    `[databases]
* = host=${hostname} port=${behind}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${users}
pool_mode = ${mode}
default_pool_size = 20
query_timeout = 60
server_lifetime = 3600
${mode === 'transaction' ? 'max_prepared_statements = 500\n' : ''}`,
  )
  let child: ChildProcess | undefined
  let log = ''
  const pooler: Pooler = {
    url: `postgres://${username}:${password}@127.0.0.1:${port}${pathname}`,
    async start() {
      child = spawn(PROGRAM, [file], { uid: NOBODY, gid: NOBODY, stdio: ['ignore', 'ignore', 'pipe'] })
      child.stderr!.setEncoding('utf8').on('data', (text: string) => {
        log += text
      })
      await until(() => /process up/.test(log)).catch((cause) => {
        throw new Error(`PgBouncer did not start: ${log}`, { cause })
      })
      log = ''
    },
    async end(signal) {
      child?.kill(signal)
      if (child?.exitCode === null && child.signalCode === null) await once(child, 'exit')
    },
  }
  processes.push(pooler)
  return pooler
}

async function createDatabase(name: string): Promise<string> {
  await runStatement(server.url, `create database ${name}`)
  const url = new URL(server.url)
  url.pathname = `/${name}`
  return url.href
}

async function start(settings: Record<string, string>): Promise<ServiceProcess> {
  const service = await startProcess({ ...settings, LOG_LEVEL: 'info' })
  processes.push(service)
  return service
}
