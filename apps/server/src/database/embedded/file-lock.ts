import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'

/**
 * A lock file held through the kernel: it is free the moment its last holder is gone, so it is never stale, and no
 * process id has to be trusted. Node has no flock; the `flock` program locks the open file that it inherits, and the
 * lock stays with the open file.
 */
export interface FileLock {
  /** To be inherited by child processes: the lock is held until this process and all of them have closed it. */
  readonly fd: number
  /** Closes this process's descriptor. */
  release(): void
}

/** Takes the lock, waiting up to `seconds` (0: not at all); undefined when another process holds it. */
export async function acquireLock(file: string, seconds: number): Promise<FileLock | undefined> {
  const fd = openSync(file, 'a', 0o600)
  const child = spawn('flock', ['--exclusive', '--timeout', String(seconds), '3'], {
    stdio: ['ignore', 'ignore', 'ignore', fd],
  })
  try {
    const [code] = (await once(child, 'close')) as [number | null]
    if (code === 0) return { fd, release: () => closeSync(fd) }
  } catch (error) {
    closeSync(fd)
    throw new Error('the embedded database needs the program `flock` (package util-linux), or set DATABASE_URL', {
      cause: error,
    })
  }
  closeSync(fd)
  return undefined
}
