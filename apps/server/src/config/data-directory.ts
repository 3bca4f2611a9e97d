import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ConfigError } from './config-error.ts'

/**
 * Creates DATA_DIR if it is missing and checks that it is writable. Throws a {@link ConfigError} with one line.
 *
 * Creates one folder at a time: with `recursive`, Node loops forever on a file system that accepts a folder and then
 * reports it as missing, as /proc does.
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
    // Another process may have created it first.
    if (!existsSync(path)) throw error
  }
}
