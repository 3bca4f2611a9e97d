/** Claims jobs and turns from the queue at the given URL, prints them, finishes none, and runs until it is killed. */
import { createQueue } from '../../src/database/index.ts'
import { silentLog } from '../../src/kernel/index.ts'

const [, , databaseUrl = ''] = process.argv
const queue = createQueue({ databaseUrl, log: silentLog })
await queue.start()
const forever = (line: string) => {
  process.stdout.write(`${line}\n`)
  return new Promise<void>(() => undefined)
}
await queue.work('wake', () => forever('job'))
queue.every('turn', 1, () => forever('turn'))
process.stdout.write('started\n')
