import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { open, stat } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { UsageError } from '../shell.ts'
import { refuseCommands } from './refuse-commands.ts'

/** A dump names the roles of the server that it comes from; a check needs none of them, and its user may make none. */
const HARMLESS =
  /role "[^"]*" does not exist|must be able to SET ROLE|must be member of role|permission denied to (?:create role|alter role|change default privileges)|unrecognized configuration parameter "transaction_timeout"/
/**
 * Weir needs no extension of PostgreSQL. A dump names those of its server, such as pgaudit, which the server of a check may
 * not have, or not let its user create or change.
 */
const EXTENSION =
  /(?:extension (?:control file )?"[^"]*" (?:is not available|does not exist)|could not open extension control file "[^"]*"|permission denied to create extension "[^"]*"|must be owner of extension \S+|\S+ (?:must be|can only be) loaded via "?shared_preload_libraries"?)/

/** What pg_dump and pg_dumpall write last. psql finds no error in a dump that is cut between two statements. */
const CLOSING = /^-- PostgreSQL database (cluster )?dump complete\r?$/m
/** Where it stands: newer versions write a line after it. */
const CLOSING_BYTES = 1_024

/** A dump, and whether pg_restore reads it: custom and tar format, and folders; otherwise it is SQL. */
export interface Dump {
  readonly path: string
  readonly isArchive: boolean
}

/** What a restore left behind. */
export interface Restored {
  /** What went wrong, a line each. */
  readonly errors: readonly string[]
  /** Extensions that the server of the check does not have, in the words of the server. */
  readonly extensions: readonly string[]
}

/**
 * Restores a dump of pg_dump into an empty database. Owners and privileges are left out. Throws if the dump cannot be read or the tools are missing.
 */
export async function restore({ path: dump, isArchive }: Dump, url: string, signal: AbortSignal): Promise<Restored> {
  const tool = isArchive
    ? { name: 'pg_restore', args: ['--no-owner', '--no-privileges', '--dbname', '', dump] }
    : { name: 'psql', args: ['--no-psqlrc', '--quiet', '--output', '/dev/null', '--file', dump] }
  const { database, env } = environmentOf(url)
  const args = tool.args.map((arg, at) => (tool.args[at - 1] === '--dbname' ? database : arg))
  const child = spawn(tool.name, args, {
    env: { PATH: process.env.PATH, LC_ALL: 'C', ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
    signal,
  })
  try {
    const [complaints, [code, killedBy]] = await Promise.all([text(child.stderr), once(child, 'close')])
    const errors = errorsIn(complaints)
    // Only pg_restore exits with 1 because of errors that it passed over.
    const passedOver = isArchive && code === 1 && (HARMLESS.test(complaints) || EXTENSION.test(complaints))
    if (killedBy !== null) errors.push(`${tool.name} ended by ${String(killedBy)}`)
    else if (errors.length === 0 && code !== 0 && !passedOver) errors.push(`${tool.name} exited with ${String(code)}`)
    if (!isArchive && !(await isClosed(dump)))
      errors.push('it ends early: the line "PostgreSQL database dump complete" is missing at its end')
    return { errors, extensions: [...new Set(errorLinesIn(complaints).filter((line) => EXTENSION.test(line)))] }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    throw new Error(
      `${tool.name} is not installed: install the client programs of PostgreSQL (Debian: postgresql-client)`,
      {
        cause: error,
      },
    )
  }
}

/** The lines of psql and pg_restore that say what failed. */
function errorsIn(complaints: string): string[] {
  return errorLinesIn(complaints).filter((line) => !HARMLESS.test(line) && !EXTENSION.test(line))
}

function errorLinesIn(complaints: string): string[] {
  const lines = complaints.split('\n').filter((line) => /\berror: |ERROR: /.test(line))
  return lines.map((line) =>
    line.replace(/^.*?(?:error|ERROR): +(?:could not execute query: ERROR: +)?/, '').slice(0, 300),
  )
}

/** Looks at the format of a dump. Throws a {@link UsageError} if there is none, or a plain one holds commands of psql. */
export async function openDump(path: string): Promise<Dump> {
  const dump = { path, isArchive: await isArchive(path) }
  if (!dump.isArchive) await refuseCommands(path)
  return dump
}

async function isArchive(dump: string): Promise<boolean> {
  const found = await stat(dump).catch(() => undefined)
  if (found === undefined) throw new UsageError(`there is no file ${dump}`)
  if (found.isDirectory()) return true
  const file = await open(dump)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(265), 0, 265, 0)
    const head = buffer.subarray(0, bytesRead).toString('latin1')
    if (head.startsWith('\u001f\u008b')) throw new UsageError(`${dump} is compressed by gzip: unpack it first`)
    return head.startsWith('PGDMP') || head.slice(257, 262) === 'ustar'
  } finally {
    await file.close()
  }
}

async function isClosed(dump: string): Promise<boolean> {
  const file = await open(dump)
  try {
    const { size } = await file.stat()
    const from = Math.max(0, size - CLOSING_BYTES)
    const { buffer, bytesRead } = await file.read(Buffer.alloc(CLOSING_BYTES), 0, CLOSING_BYTES, from)
    return CLOSING.test(buffer.subarray(0, bytesRead).toString('latin1'))
  } finally {
    await file.close()
  }
}

/** Parameters of a URL that PostgreSQL's programs know by another name. */
const PARAMETERS = {
  host: 'PGHOST',
  port: 'PGPORT',
  sslmode: 'PGSSLMODE',
  sslrootcert: 'PGSSLROOTCERT',
  sslcert: 'PGSSLCERT',
  sslkey: 'PGSSLKEY',
} as const

/** The password of the database stays out of the arguments, which others can read. */
function environmentOf(url: string) {
  const { hostname, port, username, password, pathname, searchParams } = new URL(url)
  const database = decodeURIComponent(pathname.slice(1))
  const env: NodeJS.ProcessEnv = {
    PGHOST: decodeURIComponent(hostname).replace(/^\[(.*)\]$/, '$1'),
    PGPORT: port || '5432',
    PGUSER: decodeURIComponent(username),
    PGPASSWORD: decodeURIComponent(password),
    PGDATABASE: database,
  }
  for (const [name, variable] of Object.entries(PARAMETERS)) {
    const value = searchParams.getAll(name).at(-1)
    if (value !== undefined) env[variable] = value
  }
  return { database, env }
}
