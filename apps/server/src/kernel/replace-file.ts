import { randomUUID } from 'node:crypto'
import { renameSync, rmSync, writeFileSync } from 'node:fs'

/**
 * Writes a file as a whole, readable by this user only: a reader, or a crash, sees either the old one or the new one. It is
 * on the disk when this returns. Its folder must exist.
 */
export function replaceFile(path: string, text: string): void {
  const draft = `${path}.${randomUUID()}`
  try {
    writeFileSync(draft, text, { mode: 0o600, flag: 'wx', flush: true })
    renameSync(draft, path)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}
