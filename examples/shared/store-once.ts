import { randomUUID } from 'node:crypto'
import { closeSync, fsyncSync, linkSync, openSync, unlinkSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Stores a text at `path` and returns once it is on disk, the name included. If another process stored one first, that one
 * stays: a link fails where a renaming would replace it.
 */
export function storeOnce(path: string, text: string): void {
  const own = `${path}.${randomUUID()}`
  writeFileSync(own, text, { flush: true, mode: 0o600, flag: 'wx' })
  try {
    linkSync(own, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    unlinkSync(own)
  }
  syncFolderOf(path)
}

/** Returns once the names in the folder are on disk. Before that, a loss of power may undo them. */
export function syncFolderOf(path: string): void {
  const folder = openSync(dirname(path), 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}
