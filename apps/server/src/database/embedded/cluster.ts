import { randomBytes } from 'node:crypto'
import { chownSync, existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { replaceFile, startGuarded } from '../../kernel/index.ts'
import type { PostgresHome } from './postgres-home.ts'

/** The database's superuser, which the service uses: nobody else uses this server. */
export const USER = 'weir'

/** The service's database on it. */
export const DATABASE = 'weir'

/**
 * The password, generated once and stored with the data; only the service's user can read it. An empty file, which a
 * full disk may leave, counts as missing; a database without its password cannot be opened.
 */
export function readPassword(dataDir: string): string {
  const file = join(dataDir, 'postgres-password')
  const stored = existsSync(file) ? readFileSync(file, 'utf8').trim() : ''
  if (stored !== '') return stored
  if (existsSync(join(dataDir, 'postgres', 'data')))
    throw new Error(`DATA_DIR ${dataDir}: the password of the embedded database, ${file}, is missing or empty`)
  const password = randomBytes(24).toString('base64url')
  replaceFile(file, password)
  return password
}

/**
 * Creates the data folder with initdb if there is none. It is built under another name and renamed once complete, so a
 * start that was killed halfway leaves nothing that looks like a database.
 */
export async function ensureCluster(home: PostgresHome, password: string, lockFd: number): Promise<void> {
  const data = join(home.directory, 'data')
  if (existsSync(data)) return checkVersion(home, data)
  rmSync(join(home.directory, 'unfinished'), { recursive: true, force: true })
  const passwordFile = join(home.directory, 'initial-password')
  rmSync(passwordFile, { force: true })
  writeFileSync(passwordFile, password, { mode: 0o600 })
  if (home.uid !== undefined) chownSync(passwordFile, home.uid, home.uid)
  try {
    await runInitdb(home, lockFd)
  } finally {
    rmSync(passwordFile, { force: true })
  }
  renameSync(join(home.directory, 'unfinished'), data)
}

async function runInitdb(home: PostgresHome, lockFd: number): Promise<void> {
  const lines: string[] = []
  const { ended } = startGuarded(
    join(home.binaries, 'bin', 'initdb'),
    [
      `--pgdata=${home.serverDirectory}/unfinished`,
      `--username=${USER}`,
      `--pwfile=${home.serverDirectory}/initial-password`,
      '--auth=scram-sha-256',
      // More iterations would slow down guessing, and every connection. Nobody guesses 24 random bytes.
      '--set=scram_iterations=1',
      '--data-checksums',
      '--encoding=UTF8',
      // The same text order on every machine, without system tables that could change under an index.
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--locale=C',
      '--no-instructions',
    ],
    { stopSignal: 'INT', uid: home.uid, keepOpen: [home.directoryFd, lockFd], onLine: (line) => lines.push(line) },
  )
  if ((await ended) !== 0) throw new Error(`the embedded database could not be created: ${lines.join(' ')}`)
}

function checkVersion(home: PostgresHome, data: string): void {
  const dataVersion = readFileSync(join(data, 'PG_VERSION'), 'utf8').trim()
  const header = readFileSync(join(home.binaries, 'share', 'postgresql', 'postgres.bki'), 'utf8').slice(0, 40)
  const [, version] = /^# PostgreSQL (\d+)/.exec(header) ?? []
  if (version !== undefined && version !== dataVersion) {
    throw new Error(
      `DATA_DIR: ${data} was made by PostgreSQL ${dataVersion} and this is ${version}: run that version by DATABASE_URL, or move the data over`,
    )
  }
}

/**
 * Removes the lock file that a killed PostgreSQL left behind. We hold the lock that every embedded PostgreSQL inherits,
 * so none of them is alive, and the process id in the file may by now be another program's. The remaining case is a
 * PostgreSQL started on this folder by hand: its working directory would be this folder.
 */
export function clearStaleLock(home: PostgresHome): void {
  const data = join(home.directory, 'data')
  const file = join(data, 'postmaster.pid')
  if (!existsSync(file)) return
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0])
  if (hasWorkingDirectory(pid, data))
    throw new Error(`DATA_DIR: process ${pid} is running PostgreSQL on ${data}; stop it first`)
  rmSync(file)
}

function hasWorkingDirectory(pid: number, folder: string): boolean {
  const here = statSync(folder)
  try {
    const there = statSync(`/proc/${pid}/cwd`)
    return there.dev === here.dev && there.ino === here.ino
  } catch {
    // No such process, or one of a user who cannot enter this folder anyway.
    return false
  }
}
