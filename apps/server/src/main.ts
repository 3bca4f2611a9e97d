import { ConfigError, readConfig } from './config.ts'
import { handleHelpFlag } from './main/commands/handle-help-flag.ts'
import { refuseArguments } from './main/commands/refuse-arguments.ts'
import { serviceHelp } from './main/commands/service-help.ts'
import { limitHeap } from './main/start/limit-heap.ts'
import type { Service } from './main/start/start-service.ts'

/**
 * The composition root: settings → parts → listen. stdout carries a few progress lines, the location of the sandbox
 * credentials, and the one line `ready http://HOST:PORT` once requests are accepted (contract 2); logs go to stderr.
 */
const say = (line: string) => process.stdout.write(`${line}\n`)
limitHeap()
handleHelpFlag(serviceHelp())
refuseArguments('npm start')

let starting: Promise<Service> | undefined
let stopping: Promise<void> | undefined

/** Stops once, however often it is called; a second signal does not make it faster. */
function stop(code: number): void {
  stopping ??= (async () => {
    process.exitCode = code
    const service = await starting?.catch(() => undefined)
    await service?.stop()
    process.exit()
  })()
}

/** Acknowledges a signal at once: a database with much left to write takes a while to stop. */
function stopOnSignal(): void {
  if (!stopping) say('stopping')
  stop(0)
}

process.on('SIGINT', stopOnSignal)
process.on('SIGTERM', stopOnSignal)
// The reader of stdout may be gone, as in a pipe that Ctrl-C ends; that must not interrupt the stop.
process.stdout.on('error', () => {})

try {
  const config = readConfig(process.env)
  const onFailure = (line: string) => {
    process.stderr.write(`${line}; stopping\n`)
    stop(1)
  }
  // Loaded only now: a question for help and a wrong setting get their response at once.
  const { startService } = await import('./main/start/start-service.ts')
  if (!stopping) {
    starting = startService(config, { say, onFailure })
    const { url, credentialsFile } = await starting
    if (credentialsFile && !stopping) say(`sandbox credentials: ${credentialsFile}`)
    if (!stopping) say(`ready ${url}`)
  }
} catch (error) {
  const lines = error instanceof ConfigError ? error.problems : [error instanceof Error ? error.message : String(error)]
  for (const line of lines) process.stderr.write(`${line}\n`)
  process.exitCode = 1
  if (!stopping) process.exit()
}
