import { mkdtempSync, readFileSync, statfsSync } from 'node:fs'
import { freemem } from 'node:os'

const MOUNT = '/dev/shm'
const BYTES_MIN = 4 * 2 ** 30

/**
 * Creates a folder in memory for a run's temporary files; `undefined` where memory is scarce, or where programs in it may
 * not run. Each test's database is a thousand small files, which a disk takes ten times as long to create.
 */
export function memoryFolder(): string | undefined {
  if (!isExecutableTmpfs() || freemem() < 2 * BYTES_MIN) return undefined
  const { bavail, bsize } = statfsSync(MOUNT)
  if (bavail * bsize < BYTES_MIN) return undefined
  return mkdtempSync(`${MOUNT}/weir-`)
}

function isExecutableTmpfs(): boolean {
  try {
    const mounts = readFileSync('/proc/mounts', 'utf8').split('\n')
    const options = mounts.map((line) => line.split(' ')).find(([, at, type]) => at === MOUNT && type === 'tmpfs')?.[3]
    return options !== undefined && !options.split(',').some((option) => ['noexec', 'ro'].includes(option))
  } catch {
    // Not a Linux with /proc: the disk will do.
    return false
  }
}
