import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { DATABASE, readPassword, USER } from './cluster.ts'
import { acquireLock } from './file-lock.ts'

/**
 * The URL of the embedded database of a service that runs on `dataDir`, for a tool that reads it meanwhile; `undefined`
 * when no service runs there, and the tool may start the database. Throws one sentence for the operator when there is
 * no database there, or it is just starting.
 */
export async function findRunningPostgres(dataDir: string): Promise<string | undefined> {
  const folder = resolve(dataDir)
  const data = join(folder, 'postgres', 'data')
  if (!existsSync(data)) throw new Error(`DATA_DIR ${folder}: there is no database in it`)
  const lock = await acquireLock(join(folder, 'weir.lock'), 0)
  if (lock) {
    lock.release()
    return undefined
  }
  const file = join(data, 'postmaster.pid')
  const [, , , port] = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []
  if (!port) throw new Error(`DATA_DIR ${folder}: its database is just starting or stopping; try again`)
  return `postgres://${USER}:${readPassword(folder)}@127.0.0.1:${Number(port)}/${DATABASE}`
}
