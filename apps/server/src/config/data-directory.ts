import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ConfigError } from './config-error.ts'

/**
 * Makes DATA_DIR if it is not there, and tries whether it takes a file. Throws a {@link ConfigError} with one line.
 *
 * One folder after the other: asked to make several at once, Node tries for ever where a file system says that a folder
 * does not exist which it was just told to make, as /proc does.
 */
export function requireDataDirectory(dataDir: string): void {
  try {
    makeDirectories(dataDir)
    rmSync(mkdtempSync(join(dataDir, '.tried-')), { recursive: true })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new ConfigError([`DATA_DIR ${dataDir} cannot be written to: ${reason}`], { cause: error })
  }
}

function makeDirectories(path: string): void {
  if (existsSync(path)) return
  makeDirectories(dirname(path))
  try {
    mkdirSync(path)
  } catch (error) {
    // Another process may have been quicker.
    if (!existsSync(path)) throw error
  }
}
