import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Writable } from 'node:stream'

/**
 * Runs a program that must not outlive this process, not even if this process is killed without warning. A
 * shell between them reads a pipe from this process. When the pipe closes, on stop or on death, the shell
 * sends SIGTERM, and the program takes the time it needs to save its state. The program's process id goes to
 * a file: the next start waits until that process is gone.
 */
const SCRIPT = `
pid_file=$1; shift
"$@" 3<&- &
child=$!
echo "$child" >"$pid_file"
(read -r _ <&3; kill -TERM "$child") 2>/dev/null &
watcher=$!
trap 'kill -TERM "$child"' INT TERM
wait "$child"; status=$?
while kill -0 "$child" 2>/dev/null; do wait "$child"; status=$?; done
kill "$watcher" 2>/dev/null
exit "$status"
`

export type Exit = { readonly code: number | null; readonly signal: NodeJS.Signals | null }

export type WatchedProcess = {
  /** Resolves when the program has exited, on its own or because of stop(). */
  readonly exited: Promise<Exit>
  hasExited(): boolean
  /** The last lines that the program wrote to its error output. */
  errorOutput(): string
  /** Asks the program to exit and waits for it; kills it after the grace period. */
  stop(graceMs: number): Promise<Exit>
}

const ERROR_TAIL = 4_000

/** `environment` extends this process's environment. */
export function spawnWatched(
  program: string,
  args: readonly string[],
  pidFile: string,
  environment: NodeJS.ProcessEnv = {},
): WatchedProcess {
  const child: ChildProcess = spawn('/bin/sh', ['-c', SCRIPT, 'watchdog', pidFile, program, ...args], {
    // A process group of its own: the terminal's Ctrl-C reaches only this process, which stops it in order.
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...environment },
  })
  let errors = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-ERROR_TAIL)
  })
  let ended = false
  const exited = new Promise<Exit>((resolve) => {
    child.once('error', (error) => {
      ended = true
      errors += error.message
      resolve({ code: null, signal: null })
    })
    child.once('exit', (code, signal) => {
      ended = true
      resolve({ code, signal })
    })
  })
  const pipe = child.stdio[3]
  const closePipe = () => {
    if (pipe instanceof Writable) pipe.destroy()
  }
  return {
    exited,
    hasExited: () => ended,
    errorOutput: () => errors.trim(),
    async stop(graceMs) {
      closePipe()
      const timer = setTimeout(() => killGroup(child.pid), graceMs)
      const exit = await exited
      clearTimeout(timer)
      return exit
    },
  }
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    // It exited at the same moment, as intended.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/**
 * The id in a watchdog's pid file, if that process still runs with `argument` on its command line: the id
 * alone may belong to another program by now.
 */
export function runningProcess(pidFile: string, argument: string): number | null {
  const pid = Number(readIfThere(pidFile))
  if (!Number.isSafeInteger(pid) || pid <= 0) return null
  const commandLine = readIfThere(join('/proc', String(pid), 'cmdline')).split('\0')
  return commandLine.includes(argument) ? pid : null
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code === 'ENOENT' || code === 'ESRCH') return ''
    throw error
  }
}
