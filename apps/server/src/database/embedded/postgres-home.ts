import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, closeSync, lstatSync, mkdirSync, openSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { copyBinaries, packagedBinaries } from './binaries.ts'

/** The user that PostgreSQL runs as when we are root, because it refuses to run as root: `nobody`, by its number. */
const NOBODY = 65_534

/**
 * Where the embedded database lives, as we see it and as its own user sees it. The two differ when we are root and
 * DATA_DIR lies below a closed folder, as everything below root's home does.
 */
export interface PostgresHome {
  /** The user of PostgreSQL; undefined: ourselves. */
  readonly uid: number | undefined
  /** The folder of the data, as we see it. */
  readonly directory: string
  /** The same folder as PostgreSQL reaches it. */
  readonly serverDirectory: string
  /** The folder of `bin/`, `lib/` and `share/`; readable by PostgreSQL's user. */
  readonly binaries: string
  /** The open `home`, to be handed to each program that uses `homeSeen`: it must be the program's fd 4. */
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
    // A file descriptor leads into a folder whatever stands above it, so no parent has to be opened to anybody.
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
      `DATA_DIR: ${folder} cannot be given to the user ${uid}, as which PostgreSQL runs when the service runs as root; run it as another user or set DATABASE_URL`,
      { cause: error },
    )
  }
}

/** Asks the kernel instead of reading mode bits, because access lists and mounts have a say too. */
function canReach(folder: string, uid: number): boolean {
  const { status } = spawnSync('/bin/sh', ['-c', 'cd "$1"', 'sh', folder], { cwd: '/', uid, gid: uid, stdio: 'ignore' })
  return status === 0
}

/** A path of its own in the temporary folder, refused when a stranger made it: root is going to run what lies there. */
function sharedBinariesDirectory(name: string): string {
  const folder = join(tmpdir(), name)
  mkdirSync(folder, { recursive: true, mode: 0o755 })
  const stat = lstatSync(folder)
  if (!stat.isDirectory() || stat.uid !== process.getuid?.() || (stat.mode & 0o022) !== 0) {
    throw new Error(`${folder} belongs to somebody else: remove it, or set TMPDIR to another folder`)
  }
  return join(folder, 'postgres')
}
