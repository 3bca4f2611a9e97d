import { mkdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import pg from 'pg'
import {
  DATABASE_PORT_ATTEMPTS_MAX,
  EMBEDDED_CONNECTIONS_MAX,
  type GuardedProcess,
  type Log,
  PREDECESSOR_SHUTDOWN_SECONDS,
  SHUTDOWN_TIMEOUT_MS,
  startGuarded,
} from '../../kernel/index.ts'
import { clearStaleLock, DATABASE, ensureCluster, readPassword, USER } from './cluster.ts'
import { acquireLock } from './file-lock.ts'
import { type PostgresHome, preparePostgresHome } from './postgres-home.ts'

export interface EmbeddedPostgres {
  /** Connection URL including the password: not for logs. */
  readonly url: string
  /** Stops the server cleanly and releases DATA_DIR; safe to call twice. */
  stop(): Promise<void>
  /** Calls the listener with one sentence when PostgreSQL ends unexpectedly. */
  onExit(listener: (reason: string) => void): void
}

/**
 * Starts the PostgreSQL that comes with the packages, on 127.0.0.1 and a free port, with its data under `dataDir`. It
 * ends with this process, however that ends; waits for a killed predecessor's; and refuses a second service on the same
 * folder. Every error is one sentence for the operator that names DATA_DIR or DATABASE_URL (contract 2).
 * With `survivesPowerLoss: false` nothing waits for the disk: for data that is deleted anyway, as in tests.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const dataDir = resolve(options.dataDir)
  mkdirSync(dataDir, { recursive: true })
  const owner = await acquireLock(join(dataDir, 'weir.lock'), 0)
  if (!owner) throw new Error(`DATA_DIR ${dataDir} is in use by another running service`)
  let home: PostgresHome | undefined
  try {
    home = preparePostgresHome(dataDir)
    const server = await startServer(home, readPassword(dataDir), options)
    return supervise(server, () => owner.release())
  } catch (error) {
    owner.release()
    throw error
  } finally {
    home?.close()
  }
}

interface PostgresOptions {
  readonly log: Log
  readonly survivesPowerLoss?: boolean
  /** More of PostgreSQL's settings, which win over those chosen here. */
  readonly settings?: Readonly<Record<string, string | number>>
}

export interface EmbeddedPostgresOptions extends PostgresOptions {
  readonly dataDir: string
}

interface Server {
  guarded: GuardedProcess
  url: string
}

async function startServer(home: PostgresHome, password: string, options: PostgresOptions): Promise<Server> {
  const lock = await acquireLock(join(home.directory, 'lock'), PREDECESSOR_SHUTDOWN_SECONDS)
  if (!lock) throw new Error(`DATA_DIR: the PostgreSQL of an earlier start still runs in ${home.directory}`)
  try {
    await ensureCluster(home, password, lock.fd)
    for (let attempt = 1; ; attempt += 1) {
      clearStaleLock(home)
      const port = await freePort()
      const url = (database: string) => `postgres://${USER}:${password}@127.0.0.1:${port}/${database}`
      const guarded = await startPostmaster(home, {
        ...options,
        port,
        lockFd: lock.fd,
        mayRetry: attempt < DATABASE_PORT_ATTEMPTS_MAX,
      })
      if (!guarded) continue
      try {
        await ensureDatabase(url('postgres'))
      } catch (error) {
        guarded.release()
        await guarded.ended
        throw error
      }
      return { guarded, url: url(DATABASE) }
    }
  } finally {
    // PostgreSQL inherited the lock and holds it from here on.
    lock.release()
  }
}

interface PostmasterOptions extends PostgresOptions {
  readonly port: number
  readonly lockFd: number
  readonly mayRetry: boolean
}

/** Resolves when PostgreSQL accepts connections, or with undefined when its port was taken and another may be tried. */
async function startPostmaster(
  home: PostgresHome,
  { port, lockFd, log, mayRetry, survivesPowerLoss = true, settings = {} }: PostmasterOptions,
): Promise<GuardedProcess | undefined> {
  const lines: string[] = []
  let announce: (ready: true) => void = () => undefined
  const ready = new Promise<true>((resolve) => {
    announce = resolve
  })
  const chosen = { ...settingsOf(port, survivesPowerLoss), ...settings }
  const guarded = startGuarded(join(home.binaries, 'bin', 'postgres'), serverArguments(home, chosen), {
    stopSignal: 'INT',
    uid: home.uid,
    keepOpen: [home.directoryFd, lockFd],
    onLine: (line) => {
      if (lines.push(line) > 20) lines.shift()
      if (line.includes('ready to accept connections')) announce(true)
      // PostgreSQL logs each session that a stop ends; nobody needs to see that.
      const isStop = line.includes('terminating connection due to administrator command')
      if (/^(FATAL|PANIC)/.test(line) && !isStop) log.warn({ postgres: line }, 'postgres')
      else log.debug({ postgres: line }, 'postgres')
    },
  })
  if ((await Promise.race([ready, guarded.ended])) === true) return guarded
  const output = lines.join(' ')
  if (mayRetry && output.includes('Address already in use')) return undefined
  throw new Error(`the embedded database in DATA_DIR ${home.directory} did not start: ${output}`)
}

/** Sized for one machine: small memory, few processes, every safety setting on unless the data may be lost. */
function settingsOf(port: number, survivesPowerLoss: boolean): Record<string, string | number> {
  return {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    max_connections: EMBEDDED_CONNECTIONS_MAX,
    shared_buffers: '32MB',
    fsync: survivesPowerLoss ? 'on' : 'off',
    full_page_writes: survivesPowerLoss ? 'on' : 'off',
    synchronous_commit: 'on',
    // There are no replicas, so the log needs only what crash recovery needs.
    wal_level: 'minimal',
    max_wal_senders: 0,
    max_wal_size: '256MB',
    // Read workers cost three processes and gain nothing at this size.
    io_method: 'sync',
    max_parallel_workers: 0,
    max_logical_replication_workers: 0,
    jit: 'off',
    log_line_prefix: '',
    log_checkpoints: 'off',
    log_timezone: 'UTC',
    timezone: 'UTC',
  }
}

function serverArguments(home: PostgresHome, settings: Readonly<Record<string, string | number>>): string[] {
  return [
    '-D',
    `${home.serverDirectory}/data`,
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ]
}

async function ensureDatabase(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, application_name: 'weir' })
  // A server that dies now is reported by the failing query.
  client.on('error', () => undefined)
  await client.connect()
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [DATABASE])
    if (rowCount === 0) await client.query(`create database ${DATABASE}`)
  } finally {
    await client.end()
  }
}

function supervise({ guarded, url }: Server, releaseDataDir: () => void): EmbeddedPostgres {
  const listeners: ((reason: string) => void)[] = []
  let stopping = false
  const gone = guarded.ended.then((code) => {
    releaseDataDir()
    if (stopping) return
    for (const listener of listeners) listener(`the embedded database ended unexpectedly (code ${code})`)
  })
  return {
    url,
    onExit: (listener) => listeners.push(listener),
    async stop() {
      stopping = true
      guarded.release()
      // A hanging checkpoint must not block the stop: an immediate shutdown loses nothing and only recovers later.
      const killTimer = setTimeout(() => guarded.kill('SIGQUIT'), SHUTDOWN_TIMEOUT_MS)
      await gone
      clearTimeout(killTimer)
    },
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
