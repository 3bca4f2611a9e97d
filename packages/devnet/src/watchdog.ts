import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Writable } from 'node:stream'

/**
 * Runs a program that must not outlive us, not even when we are killed without warning. Between us and it
 * stands a shell that reads a pipe of ours: when the pipe closes, because we say so or because we are
 * gone, the shell sends SIGTERM and the program has the time it needs to save its state. The program's
 * own process id goes to a file, so that the next start can wait until it is gone.
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
  /** Settles when the program has ended, by itself or because of stop(). */
  readonly exited: Promise<Exit>
  hasExited(): boolean
  /** The last lines that the program wrote to its error output. */
  errorOutput(): string
  /** Asks the program to end and waits until it has; kills it after the grace period. */
  stop(graceMs: number): Promise<Exit>
}

const ERROR_TAIL = 4_000

/** `environment` is added to ours. */
export function spawnWatched(
  program: string,
  args: readonly string[],
  pidFile: string,
  environment: NodeJS.ProcessEnv = {},
): WatchedProcess {
  const child: ChildProcess = spawn('/bin/sh', ['-c', SCRIPT, 'watchdog', pidFile, program, ...args], {
    // A group of its own: the terminal's Ctrl-C reaches only us, and we end it in order.
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
    // It ended in the same moment: what we wanted.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/**
 * The id in a watchdog's pid file, if that process still runs with `argument` on its command line: a
 * process id alone may belong to another program by now.
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
