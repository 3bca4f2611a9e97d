import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, closeSync, lstatSync, mkdirSync, openSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { copyBinaries, packagedBinaries } from './binaries.ts'

/**
 * The user that PostgreSQL runs as when the service is root, because it refuses to run as root: `nobody`, by its id.
 */
const NOBODY = 65_534

/**
 * Where the embedded database is, as seen by the service and by PostgreSQL's user. The two differ when the service is
 * root and DATA_DIR is below a closed folder, like everything below root's home.
 */
export interface PostgresHome {
  /** PostgreSQL's user; undefined: the service's own. */
  readonly uid: number | undefined
  /** The data folder as the service sees it. */
  readonly directory: string
  /** The same folder as PostgreSQL reaches it. */
  readonly serverDirectory: string
  /** The folder with `bin/`, `lib/` and `share/`; readable by PostgreSQL's user. */
  readonly binaries: string
  /**
   * The open `directory`, to be inherited by each program that uses `serverDirectory`: it must be the program's fd 4.
   */
  readonly directoryFd: number
  close(): void
}

/** Prepares folders, owners and binaries under `dataDir`, which must exist. */
export function preparePostgresHome(dataDir: string): PostgresHome {
  const uid = process.getuid?.() === 0 ? NOBODY : undefined
  const directory = join(dataDir, 'postgres')
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  if (uid !== undefined) changeOwner(directory, uid)
  const packaged = packagedBinaries()
  const open = uid === undefined || canReach(directory, uid)
  const binaries = open
    ? join(dataDir, `postgres-${packaged.version}`)
    : sharedBinariesDirectory(`weir-postgres-${packaged.version}-${process.getuid?.()}`)
  copyBinaries(packaged.folder, binaries)
  if (uid !== undefined && !canReach(join(binaries, 'bin'), uid)) {
    throw new Error(`DATA_DIR ${dataDir}: the user ${uid}, as which PostgreSQL runs, cannot reach it or ${binaries}`)
  }
  const directoryFd = openSync(directory, 'r')
  return {
    uid,
    directory,
    // A file descriptor reaches a folder regardless of what is above it, so no parent folder has to be opened to
    // anyone.
    serverDirectory: open ? directory : '/proc/self/fd/4',
    binaries,
    directoryFd,
    close: () => closeSync(directoryFd),
  }
}

function changeOwner(folder: string, uid: number): void {
  try {
    chownSync(folder, uid, uid)
    chmodSync(folder, 0o700)
  } catch (error) {
    throw new Error(
      `DATA_DIR: ${folder} cannot be handed to the user ${uid}, which runs PostgreSQL when the service runs as root; run it as another user or set DATABASE_URL`,
      { cause: error },
    )
  }
}

/** Asks the kernel instead of reading mode bits, because access lists and mounts matter too. */
function canReach(folder: string, uid: number): boolean {
  const { status } = spawnSync('/bin/sh', ['-c', 'cd "$1"', 'sh', folder], { cwd: '/', uid, gid: uid, stdio: 'ignore' })
  return status === 0
}

/** A separate path in the temporary folder, refused if another user created it: root is going to run its content. */
function sharedBinariesDirectory(name: string): string {
  const folder = join(tmpdir(), name)
  mkdirSync(folder, { recursive: true, mode: 0o755 })
  const stat = lstatSync(folder)
  if (!stat.isDirectory() || stat.uid !== process.getuid?.() || (stat.mode & 0o022) !== 0) {
    throw new Error(`${folder} belongs to another user: remove it, or set TMPDIR to another folder`)
  }
  return join(folder, 'postgres')
}
