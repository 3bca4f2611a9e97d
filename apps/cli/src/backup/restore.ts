import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { open, stat } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { UsageError } from '../shell.ts'

/** A dump names the roles of the server that it comes from; a check needs none of them. */
const HARMLESS = /role "[^"]*" does not exist|unrecognized configuration parameter "transaction_timeout"/

/** What pg_dump and pg_dumpall write last. psql finds no error in a dump that is cut between two statements. */
const CLOSING = /^-- PostgreSQL database (cluster )?dump complete\r?$/m
/** Where it stands: newer versions write a line after it. */
const CLOSING_BYTES = 1_024

/** A dump, and whether pg_restore reads it: custom and tar format, and folders; otherwise it is SQL. */
export interface Dump {
  readonly path: string
  readonly isArchive: boolean
}

/**
 * Restores a dump of pg_dump into an empty database; returns what went wrong, a line each. Owners and privileges are left
 * out. Throws if the dump cannot be read or the tools are missing.
 */
export async function restore({ path: dump, isArchive }: Dump, url: string, signal: AbortSignal): Promise<string[]> {
  const tool = isArchive
    ? { name: 'pg_restore', args: ['--no-owner', '--no-privileges', '--dbname', '', dump] }
    : { name: 'psql', args: ['--no-psqlrc', '--quiet', '--output', '/dev/null', '--file', dump] }
  const { host, port, user, password, database } = partsOf(url)
  const args = tool.args.map((arg, at) => (tool.args[at - 1] === '--dbname' ? database : arg))
  const child = spawn(tool.name, args, {
    // The password of the temporary database stays out of the arguments, which others can read.
    env: {
      PATH: process.env.PATH,
      LC_ALL: 'C',
      PGHOST: host,
      PGPORT: port,
      PGUSER: user,
      PGPASSWORD: password,
      PGDATABASE: database,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
    signal,
  })
  try {
    const [complaints, [code, killedBy]] = await Promise.all([text(child.stderr), once(child, 'close')])
    const errors = errorsIn(complaints)
    // Only pg_restore exits with 1 because of errors that it passed over.
    const passedOver = isArchive && code === 1 && HARMLESS.test(complaints)
    if (killedBy !== null) errors.push(`${tool.name} ended by ${String(killedBy)}`)
    else if (errors.length === 0 && code !== 0 && !passedOver) errors.push(`${tool.name} exited with ${String(code)}`)
    if (!isArchive && !(await isClosed(dump)))
      errors.push('it ends early: the line "PostgreSQL database dump complete" is missing at its end')
    return errors
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
  const lines = complaints.split('\n').filter((line) => /\berror: |ERROR: /.test(line) && !HARMLESS.test(line))
  return lines.map((line) => line.replace(/^.*?(?:error|ERROR): +/, '').slice(0, 300))
}

/** Looks at the format of a dump. Throws if there is none. */
export async function openDump(path: string): Promise<Dump> {
  return { path, isArchive: await isArchive(path) }
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

function partsOf(url: string) {
  const { hostname: host, port, username: user, password, pathname } = new URL(url)
  return { host, port, user, password: decodeURIComponent(password), database: pathname.slice(1) }
}
