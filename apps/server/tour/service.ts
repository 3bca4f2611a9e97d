import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Credentials } from './client.ts'
import { withProgress } from './with-progress.ts'

export interface TourService {
  readonly credentials: Credentials
  /** DATA_DIR of the service. */
  readonly folder: string
  stop(): Promise<void>
}

const repository = fileURLToPath(new URL('../../..', import.meta.url))
const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))

/** The service that runs here, or one of the tour's own. */
export async function findService(say: (line: string) => void): Promise<TourService> {
  const folder = resolve(repository, process.env.DATA_DIR ?? '.data')
  const running = await answering(folder)
  if (running) {
    say(`touring the service at ${running.baseUrl}`)
    return { credentials: running, folder, stop: async () => {} }
  }
  return startService(say)
}

async function answering(folder: string): Promise<Credentials | undefined> {
  try {
    const credentials = await readCredentials(folder)
    const { ok } = await fetch(`${credentials.baseUrl}/ready`, { signal: AbortSignal.timeout(2_000) })
    return ok ? credentials : undefined
  } catch {
    // No credentials, or nobody listens: no service runs from this folder.
    return undefined
  }
}

async function readCredentials(folder: string): Promise<Credentials> {
  return JSON.parse(await readFile(join(folder, 'sandbox-credentials.json'), 'utf8')) as Credentials
}

/** A service of the tour's own, on free ports and in a folder that goes with it. */
export async function startService(say: (line: string) => void): Promise<TourService> {
  const folder = await mkdtemp(join(tmpdir(), 'weir-tour-'))
  say('starting a service for the tour')
  const child = spawn(process.execPath, [main], {
    env: environmentIn(folder),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const stop = async () => {
    child.kill('SIGTERM')
    await exited
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  stopOnSignals(stop)
  try {
    await withProgress(say, 'the service to be ready', async () => {
      for await (const line of createInterface({ input: child.stdout })) {
        if (line.startsWith('ready ')) return
        say(line)
      }
      throw new Error('the service ended before it was ready')
    })
    return { credentials: await readCredentials(folder), folder, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/**
 * Nothing of the caller's settings: a tour plays, and an exported DATABASE_URL, SERVICE_ENV or RPC endpoint is where
 * somebody's real money is looked after.
 */
function environmentIn(folder: string): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR } = process.env
  return {
    PATH,
    HOME,
    ...(TMPDIR === undefined ? {} : { TMPDIR }),
    DATA_DIR: folder,
    PORT: '0',
    LOG_LEVEL: 'warn',
    // A tour is quicker than a minute, and its steps are more than the limit of a minute's writes.
    RATE_LIMIT_MULTIPLIER: '10',
  }
}

/** Ctrl-C in the middle of a tour leaves neither processes nor the folder, and the prompt comes back when all is done. */
function stopOnSignals(stop: () => Promise<void>): void {
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    // Not `once`: npm hands on what the terminal has sent already.
    process.on(signal, () => {
      // What the tour was about fails from here on, and says nothing that anybody should read.
      console.error = () => {}
      void stop().finally(() => process.exit(code))
    })
  }
}
