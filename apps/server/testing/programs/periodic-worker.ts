/** Takes the locks of two duties at the given URL, prints each, ends no round, and runs until it is killed. */
import { createPeriodicRunner } from '../../src/database/index.ts'
import { silentLog } from '../../src/kernel/index.ts'

const [, , databaseUrl = ''] = process.argv
const periodic = createPeriodicRunner({ databaseUrl, log: silentLog })
const forever = (line: string) => {
  process.stdout.write(`${line}\n`)
  return new Promise<void>(() => undefined)
}
periodic.every('follow', 1, () => forever('follow'))
periodic.every('sweep', 1, () => forever('sweep'))
