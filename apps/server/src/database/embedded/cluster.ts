import { randomBytes } from 'node:crypto'
import { chownSync, existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PostgresHome } from './postgres-home.ts'
import { startGuarded } from './watchdog.ts'

/** The database's superuser, and ours: nobody else is on this server. */
export const USER = 'weir'

/** The one database on it that is ours. */
export const DATABASE = 'weir'

/** The password, made once and kept beside the data; only we can read it. */
export function readPassword(dataDir: string): string {
  const file = join(dataDir, 'postgres-password')
  if (!existsSync(file)) {
    if (existsSync(join(dataDir, 'postgres', 'data'))) {
      throw new Error(`DATA_DIR ${dataDir}: the password of the embedded database, ${file}, is missing`)
    }
    writeFileSync(file, randomBytes(24).toString('base64url'), { mode: 0o600 })
  }
  return readFileSync(file, 'utf8').trim()
}

/**
 * Makes the data folder with initdb when there is none. It is built under another name and renamed when it is whole,
 * so a start that was killed in the middle leaves nothing that looks like a database.
 */
export async function ensureCluster(place: PostgresHome, password: string, lockFd: number): Promise<void> {
  const data = join(place.directory, 'data')
  if (existsSync(data)) return checkVersion(place, data)
  rmSync(join(place.directory, 'unfinished'), { recursive: true, force: true })
  const passwordFile = join(place.directory, 'initial-password')
  rmSync(passwordFile, { force: true })
  writeFileSync(passwordFile, password, { mode: 0o600 })
  if (place.uid !== undefined) chownSync(passwordFile, place.uid, place.uid)
  try {
    await runInitdb(place, lockFd)
  } finally {
    rmSync(passwordFile, { force: true })
  }
  renameSync(join(place.directory, 'unfinished'), data)
}

async function runInitdb(place: PostgresHome, lockFd: number): Promise<void> {
  const lines: string[] = []
  const { ended } = startGuarded(
    join(place.binaries, 'bin', 'initdb'),
    [
      `--pgdata=${place.serverDirectory}/unfinished`,
      `--username=${USER}`,
      `--pwfile=${place.serverDirectory}/initial-password`,
      '--auth=scram-sha-256',
      '--data-checksums',
      '--encoding=UTF8',
      // The same order of texts on every machine, and none of the system's own tables to change under an index.
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--locale=C',
      '--no-instructions',
    ],
    { uid: place.uid, keepOpen: [place.directoryFd, lockFd], onLine: (line) => lines.push(line) },
  )
  if ((await ended) !== 0) throw new Error(`the embedded database could not be created: ${lines.join(' ')}`)
}

function checkVersion(place: PostgresHome, data: string): void {
  const made = readFileSync(join(data, 'PG_VERSION'), 'utf8').trim()
  const ours = readFileSync(join(place.binaries, 'share', 'postgresql', 'postgres.bki'), 'utf8').slice(0, 40)
  const [, version] = /^# PostgreSQL (\d+)/.exec(ours) ?? []
  if (version !== undefined && version !== made) {
    throw new Error(
      `DATA_DIR: ${data} was made by PostgreSQL ${made} and this is ${version}: run that version by DATABASE_URL, or move the data over`,
    )
  }
}

/**
 * Removes the lock file that a killed PostgreSQL left. We hold the lock that every PostgreSQL of ours inherits, so none
 * of them lives, and the number in the file may by now be a stranger's. What is left is somebody who started PostgreSQL
 * on this folder by hand: it would be standing in it.
 */
export function clearStaleLock(place: PostgresHome): void {
  const data = join(place.directory, 'data')
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
