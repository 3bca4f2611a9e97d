import { execFile } from 'node:child_process'
import { chmod, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { packagedBinaries } from '../../src/database/embedded/binaries.ts'
import { type Environment, startProcess } from '../processes/service-process.ts'

const run = promisify(execFile)

/** Settings that do not change what the first start of a folder writes. */
const NOT_WRITTEN = ['DNS_SERVERS', 'LOG_LEVEL', 'RATE_LIMIT_MULTIPLIER', 'WEBAUTHN_ORIGINS', 'WEBAUTHN_RP_ID']

/**
 * Starts the service once in a new folder, stops it, and returns the folder: most system tests begin with a copy, because
 * a first start takes half as long again as a second one. What only a first start does is tested in process.test.ts.
 */
export async function prepareFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'weir-prepared-'))
  await chmod(folder, 0o711)
  const service = await startProcess({ DATA_DIR: folder })
  const code = await service.end()
  if (code !== 0) throw new Error(`the service ended with ${code}: ${service.errors()}`)
  return folder
}

/** Fills a new folder from the prepared one, if this run has one and `settings` do not ask for another first start. */
export async function copyPreparedFolder(to: string, settings: Environment): Promise<void> {
  const { TEST_SERVICE_FOLDER: from } = process.env
  if (from === undefined || !Object.keys(settings).every((name) => NOT_WRITTEN.includes(name))) return
  // PostgreSQL's programs are there already, as links; its data belongs to another user and stays that user's.
  const programs = `postgres-${packagedBinaries().version}`
  await run('sh', [
    '-c',
    'cd "$1" && for each in *; do [ "$each" = "$3" ] || cp -a "$each" "$2/"; done',
    'sh',
    from,
    to,
    programs,
  ])
}
