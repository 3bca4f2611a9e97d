import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { stopOnSignals } from '../testing/processes/stop-on-signals.ts'
import type { Credentials } from './client.ts'
import type { Say } from './layout.ts'
import { withProgress } from './with-progress.ts'

export interface TourService {
  readonly credentials: Credentials
  /** The service's DATA_DIR. */
  readonly folder: string
  stop(): Promise<void>
}

const repository = fileURLToPath(new URL('../../..', import.meta.url))
const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))

/** Finds the service that runs here, or starts a temporary one. */
export async function findService(say: Say): Promise<TourService> {
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
    // No credentials, or nothing listens: no service runs from this folder.
    return undefined
  }
}

async function readCredentials(folder: string): Promise<Credentials> {
  return JSON.parse(await readFile(join(folder, 'sandbox-credentials.json'), 'utf8')) as Credentials
}

/** Starts a service for the tour, on free ports and in a folder that is removed with it. */
export async function startService(say: Say): Promise<TourService> {
  const folder = await mkdtemp(join(tmpdir(), 'weir-tour-'))
  say('starting a service for the tour: a database and four chains')
  const child = spawn(process.execPath, [main], {
    env: environmentIn(folder),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const stop = async () => {
    child.kill('SIGTERM')
    await exited
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    ignoreSignals()
  }
  const ignoreSignals = stopOnSignals(stop)
  try {
    await withProgress(say, 'the service to be ready', async () => {
      const lines: string[] = []
      for await (const line of createInterface({ input: child.stdout })) {
        if (line.startsWith('ready ')) return
        lines.push(line)
      }
      throw new Error(['the service ended before it was ready', ...lines].join('\n'))
    })
    return { credentials: await readCredentials(folder), folder, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/**
 * Excludes the caller's settings: an exported DATABASE_URL, SERVICE_ENV or RPC endpoint may belong to a service with
 * real money.
 */
function environmentIn(folder: string): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE } = process.env
  return {
    PATH,
    HOME,
    ...(TMPDIR === undefined ? {} : { TMPDIR }),
    ...(NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }),
    DATA_DIR: folder,
    PORT: '0',
    LOG_LEVEL: 'warn',
  }
}
