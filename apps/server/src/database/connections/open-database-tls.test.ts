import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import { until } from '../../../testing/index.ts'
import { selfSigned } from '../../../testing/stand-ins/self-signed.ts'
import { silentLog } from '../../kernel/index.ts'
import { isDatabaseUnavailable } from './is-database-unavailable.ts'
import { openDatabase } from './open-database.ts'

const folder = mkdtempSync(join(tmpdir(), 'weir-database-tls-'))
const trusted = join(folder, 'trusted.pem')
const foreign = join(folder, 'foreign.pem')
let admin: pg.Client

/** Gives the test server a certificate: it then offers TLS, and other tests connect as before. */
beforeAll(async () => {
  const certificate = await selfSigned()
  writeFileSync(trusted, certificate.cert)
  writeFileSync(foreign, (await selfSigned()).cert)
  admin = new pg.Client({ connectionString: inject('postgresUrl') })
  await admin.connect()
  await store('test-tls.key', certificate.key)
  await store('test-tls.crt', certificate.cert)
  for (const [name, value] of [
    ['ssl_key_file', 'test-tls.key'],
    ['ssl_cert_file', 'test-tls.crt'],
    ['ssl', 'on'],
  ]) {
    await admin.query(`alter system set ${name} = '${value}'`)
  }
  await admin.query('select pg_reload_conf()')
  await until(async () => (await admin.query(`show ssl`)).rows[0].ssl === 'on')
})
afterAll(async () => {
  await admin.query('alter system reset all')
  await admin.query('select pg_reload_conf()')
  await admin.end()
  rmSync(folder, { recursive: true })
})

/** Writes a file as the server's user into its data folder; PostgreSQL refuses a key that others can read. */
async function store(name: string, content: string): Promise<void> {
  const lines = content.trim().split('\n')
  await admin.query(
    `copy (values ${lines.map((line) => `('${line}')`).join(',')}) to program 'umask 077; cat > ${name}'`,
  )
}

async function connection(parameters: Record<string, string>): Promise<string | null> {
  const url = new URL(inject('postgresUrl'))
  url.hostname = 'localhost'
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  const { db, close } = openDatabase({ url: url.href, log: silentLog, max: 1 })
  try {
    const { rows } = await sql<{ version: string | null }>`
      select version from pg_stat_ssl where pid = pg_backend_pid()`.execute(db)
    return rows[0]!.version
  } finally {
    await close()
  }
}

test('the database is reached with TLS when the URL asks for it', async () => {
  expect(await connection({ sslmode: 'verify-full', sslrootcert: trusted })).toMatch(/^TLSv1\.[23]$/)
  expect(await connection({})).toBeNull()
})

test('a database whose certificate somebody else signed is refused before a password is sent', async () => {
  await expect(connection({ sslmode: 'verify-full', sslrootcert: foreign })).rejects.toThrow(/certificate/)
  await expect(connection({ sslmode: 'verify-full' })).rejects.toThrow(/certificate/)
})

test('TLS is not dropped when the server offers none', async () => {
  await admin.query(`alter system set ssl = 'off'`)
  await admin.query('select pg_reload_conf()')
  await until(async () => (await admin.query(`show ssl`)).rows[0].ssl === 'off')
  await expect(connection({ sslmode: 'verify-full', sslrootcert: trusted })).rejects.toThrow(/SSL/)
})

/** Connects to servers that treat a request for TLS like this; returns the error. */
async function refusedBy(answer: (socket: Socket) => void, servers = 1): Promise<unknown> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => answer(socket))
  })
  onTestFinished(() => void server.close())
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as { port: number }
  const hosts = Array(servers).fill(`127.0.0.1:${port}`).join(',')
  const url = `postgres://weir@${hosts}/weir?sslmode=verify-full&sslrootcert=${trusted}`
  const { db, close } = openDatabase({ url, log: silentLog, max: 1 })
  try {
    return await sql`select`.execute(db).catch((error: unknown) => error)
  } finally {
    await close()
  }
}

test.each([
  ['ends the handshake', (socket: Socket) => void socket.end('S')],
  ['resets the handshake', (socket: Socket) => void socket.write('S', () => socket.resetAndDestroy())],
  ['answers with an error, as while it runs out of memory', (socket: Socket) => void socket.end('E')],
])('a server that %s is unavailable, and so are several of them', async (_what, answer) => {
  for (const servers of [1, 2]) {
    const error = await refusedBy(answer, servers)
    expect([servers, isDatabaseUnavailable(error), error]).toEqual([servers, true, expect.any(Error)])
  }
})

test('a server that offers no TLS is a wrong setting, not an outage', async () => {
  expect(isDatabaseUnavailable(await refusedBy((socket) => void socket.end('N')))).toBe(false)
})
