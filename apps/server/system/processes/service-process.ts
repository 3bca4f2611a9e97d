import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { copyBinaries, packagedBinaries } from '../../src/database/embedded/binaries.ts'
import { endWithThisProcess } from '../../testing/processes/end-with-this-process.ts'
import { programFile } from '../../testing/processes/program-file.ts'

const MAIN = new URL('../../src/main.ts', import.meta.url)

export type Environment = Readonly<Record<string, string>>

/** The service as an operator runs it: a separate process, observed by its output and its exit. */
export interface ServiceProcess {
  readonly pid: number
  /** The URL after `ready `. */
  readonly url: string
  /** Every line on stdout so far. */
  readonly lines: readonly string[]
  /** Its stderr so far. */
  errors(): string
  /** Resolves with the exit code (null: ended by a signal) when the process and its output have ended. */
  readonly ended: Promise<number | null>
  /** Sends a signal and waits for the exit; returns the exit code. */
  end(signal?: NodeJS.Signals): Promise<number | null>
}

/** Only the variables that the service needs: no other setting of the machine may leak into a test. */
export function environmentOf(settings: Environment): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE } = process.env
  const own = { PATH, HOME, ...(TMPDIR && { TMPDIR }), ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }) }
  return { ...own, HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'warn', ...settings }
}

/**
 * Starts the service on a free port. Rejects with its output if it exits before it is ready. Another process may take the
 * free port between its choice and its use; then the service starts once more.
 */
export async function startProcess(settings: Environment): Promise<ServiceProcess> {
  const start = () =>
    watch(
      spawn(process.execPath, [programFile('service', MAIN)], {
        env: environmentOf(settings),
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    )
  return start().catch((error: unknown) => {
    if (settings.PORT === undefined && String(error).includes('EADDRINUSE')) return start()
    throw error
  })
}

/** A child whose output ends in a line `ready http://...`. */
export async function watch(child: ChildProcess): Promise<ServiceProcess> {
  const settle = endWithThisProcess(child)
  const lines: string[] = []
  let errors = ''
  let rest = ''
  let announce = (_url: string) => {}
  const ready = new Promise<string>((resolve) => {
    announce = resolve
  })
  child.stdout!.setEncoding('utf8').on('data', (text: string) => {
    const parts = (rest + text).split('\n')
    rest = parts.pop() ?? ''
    lines.push(...parts)
    const line = parts.find((part) => part.startsWith('ready '))
    if (line) announce(line.slice('ready '.length))
  })
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  const ended = once(child, 'close').then(([code]) => {
    settle()
    return code as number | null
  })
  const url = await Promise.race([
    ready,
    ended.then((code) => {
      throw new Error(`the service ended with ${code} before it was ready: ${lines.join(' | ')} ${errors}`)
    }),
  ])
  return {
    pid: child.pid!,
    url,
    lines,
    errors: () => errors,
    ended,
    end(signal = 'SIGTERM') {
      child.kill(signal)
      return ended
    },
  }
}

/** Runs a start that is expected to fail until it exits. */
export async function startThatFails(
  settings: Environment,
): Promise<{ code: number | null; out: string; err: string }> {
  const child = spawn(process.execPath, [programFile('service', MAIN)], {
    env: environmentOf(settings),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [out, err] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text
  })
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, out, err }
}

/** A folder for one service. The embedded database may run as another user, which must be able to traverse it. */
export async function createDataDir(): Promise<{ path: string; remove: () => Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'weir-system-'))
  await chmod(path, 0o711)
  linkPostgres(path)
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 5 }) }
}

/** Links PostgreSQL's programs from those of the test run: from another file system a service copies sixty megabytes. */
function linkPostgres(dataDir: string): void {
  const { TEST_POSTGRES_DIR: shared } = process.env
  if (shared === undefined) return
  const name = `postgres-${packagedBinaries().version}`
  if (existsSync(join(shared, name))) copyBinaries(join(shared, name), join(dataDir, name))
}

/** Processes whose command line or environment names this folder: those that a service started or left running. */
export async function processesOf(dataDir: string): Promise<string[]> {
  const found: string[] = []
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const [command, environment] = await Promise.all([textOf(`/proc/${pid}/cmdline`), textOf(`/proc/${pid}/environ`)])
    if (`${command} ${environment}`.includes(dataDir)) found.push(`${pid} ${command}`)
  }
  return found
}

/** Empty for a process that has just ended or belongs to another user. */
async function textOf(path: string): Promise<string> {
  return (await readFile(path, 'utf8').catch(() => '')).replaceAll('\0', ' ')
}
