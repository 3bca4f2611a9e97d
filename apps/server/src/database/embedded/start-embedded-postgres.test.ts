import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { runStatement } from '../../../testing/database/databases.ts'
import { startProgram, until } from '../../../testing/index.ts'
import { silentLog } from '../../kernel/index.ts'
import { startEmbeddedPostgres } from './start-embedded-postgres.ts'

/** `daemon`: initdb requires a user that the system knows by name. */
const ORDINARY_USER = 1
let shared: string
beforeAll(() => {
  shared = temporaryFolder()
})
afterAll(() => rmSync(shared, { recursive: true, force: true }))

const start = (dataDir: string) => startEmbeddedPostgres({ dataDir, log: silentLog })

test('data survives a stop and a start, under another port and the same password', async () => {
  const first = await start(shared)
  await runStatement(first.url, 'create table kept (id int)')
  await first.stop()
  await first.stop()
  await expect(runStatement(first.url, 'select')).rejects.toThrow()
  const second = await start(shared)
  await runStatement(second.url, 'select from kept')
  expect(new URL(second.url).password).toBe(new URL(first.url).password)
  await second.stop()
})

test('every safety setting is on, it listens on loopback only, and nobody else can read the password or data', async () => {
  const server = await start(shared)
  const settings = ['fsync', 'full_page_writes', 'synchronous_commit', 'data_checksums', 'listen_addresses']
  const values = await Promise.all(settings.map((name) => show(server.url, name)))
  expect(values).toEqual(['on', 'on', 'on', 'on', '127.0.0.1'])
  expect(await show(server.url, 'unix_socket_directories')).toBe('')
  expect(Number(await show(server.url, 'max_connections'))).toBe(60)
  expect(statSync(join(shared, 'postgres-password')).mode & 0o777).toBe(0o600)
  expect(statSync(join(shared, 'postgres')).mode & 0o777).toBe(0o700)
  const anybody = new URL(server.url)
  anybody.password = 'guessed'
  await expect(runStatement(anybody.href, 'select')).rejects.toThrow('password authentication failed')
  await server.stop()
})

test('a second service on the same folder is refused in one line, and the first keeps running', async () => {
  const server = await start(shared)
  await expect(start(shared)).rejects.toThrow(`DATA_DIR ${shared} is in use by another running service`)
  const other = startProgram('embedded', [shared])
  expect(await other.line('refused')).toBe(`refused: DATA_DIR ${shared} is in use by another running service`)
  await runStatement(server.url, 'select')
  await server.stop()
})

test('after SIGKILL of the service no PostgreSQL is left, and an immediate start waits and then serves', async () => {
  const program = startProgram('embedded', [shared])
  const url = await program.line('postgres://')
  await runStatement(url, 'create table if not exists acknowledged (id int)')
  const postmaster = postmasterOf(shared)
  await program.kill()
  const next = await start(shared)
  expect(isRunning(postmaster)).toBe(false)
  await runStatement(next.url, 'select from acknowledged')
  await next.stop()

  const lonely = startProgram('embedded', [shared])
  await lonely.line('postgres://')
  const orphan = postmasterOf(shared)
  await lonely.kill()
  await until(() => !isRunning(orphan))
})

test('the service learns when PostgreSQL dies, and its stale lock file is removed at the next start', async () => {
  const server = await start(shared)
  const reported = new Promise<string>((resolve) => server.onExit(resolve))
  process.kill(postmasterOf(shared), 'SIGKILL')
  expect(await reported).toContain('ended unexpectedly')
  // The process id in the lock file now belongs to another running program: this very process.
  const lockFile = join(shared, 'postgres', 'data', 'postmaster.pid')
  writeFileSync(lockFile, readFileSync(lockFile, 'utf8').replace(/^\d+/, String(process.pid)))
  const next = await start(shared)
  await runStatement(next.url, 'select from acknowledged')
  await next.stop()
})

test('a requested stop is not reported as an accident', async () => {
  const server = await start(shared)
  const reported: string[] = []
  server.onExit((reason) => reported.push(reason))
  await server.stop()
  expect(reported).toEqual([])
})

test('a start that was killed while creating the database leaves nothing in the way', async () => {
  const folder = temporaryFolder()
  const program = startProgram('embedded', [folder])
  await until(() => statSync(join(folder, 'postgres', 'unfinished')))
  await program.kill()
  const server = await start(folder)
  await runStatement(server.url, 'select')
  await server.stop()
})

test('a password that a full disk left empty is written again while there is no data', async () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'postgres-password'), '', { mode: 0o600 })
  const server = await start(folder)
  await runStatement(server.url, 'select')
  await server.stop()
  const file = join(folder, 'postgres-password')
  expect(readFileSync(file, 'utf8')).toBe(new URL(server.url).password)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  writeFileSync(file, '')
  await expect(start(folder)).rejects.toThrow(`${file}, is missing or empty`)
})

test('data without its password is refused with the name of the missing file', async () => {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'postgres', 'data'), { recursive: true })
  await expect(start(folder)).rejects.toThrow(`DATA_DIR ${folder}: the password of the embedded database`)
})

// Only root can switch users; for everyone else the tests above already run as that user.
if (process.getuid?.() === 0) {
  test('as root it runs below a closed folder, as another user who owns nothing but the data', async () => {
    const closed = temporaryFolder()
    chmodSync(closed, 0o700)
    const env = { TMPDIR: temporaryFolder() }
    const dataDir = join(closed, 'deep', 'data')
    const program = startProgram('embedded', [dataDir], { env })
    await runStatement(await program.line('postgres://'), 'create table kept (id int)')
    expect(statSync(`/proc/${postmasterOf(dataDir)}`).uid).toBe(65_534)
    expect(statSync(closed).mode & 0o777).toBe(0o700)
    await program.kill()
    const again = startProgram('embedded', [dataDir], { env })
    await runStatement(await again.line('postgres://'), 'select from kept')
    const postmaster = postmasterOf(dataDir)
    await again.kill()
    await until(() => !isRunning(postmaster))
  })

  test('as an ordinary user it runs as that user', async () => {
    const folder = temporaryFolder()
    chownSync(folder, ORDINARY_USER, ORDINARY_USER)
    const program = startProgram('embedded', [folder], { uid: ORDINARY_USER })
    await runStatement(await program.line('postgres://'), 'select')
    const postmaster = postmasterOf(folder)
    expect(statSync(`/proc/${postmaster}`).uid).toBe(ORDINARY_USER)
    await program.kill()
    await until(() => !isRunning(postmaster))
  })
}

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'weir-embedded-'))
  chmodSync(folder, 0o755)
  if (shared !== undefined) onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

function postmasterOf(dataDir: string): number {
  return Number(readFileSync(join(dataDir, 'postgres', 'data', 'postmaster.pid'), 'utf8').split('\n')[0])
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

async function show(url: string, setting: string): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<Record<string, string>>(`show ${setting}`)
  await client.end()
  return rows[0]![setting]!
}
