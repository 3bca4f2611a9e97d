import { spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'

/**
 * The shell between this process and the guarded program. Its fd 3 is a pipe whose other end only this process holds:
 * when the process is gone, however suddenly, the kernel closes that end, `read` returns, and the shell sends the program
 * its stop signal. Signals to the shell are passed on; `wait` is repeated because a trap ends it. `kill` prints nothing
 * when its process has already ended.
 */
const SCRIPT = `
stop=$1; shift
"$@" 3<&- & child=$!
(read _ <&3; kill -$stop $child 2>/dev/null) & watcher=$!
trap 'kill -$stop $child 2>/dev/null' INT TERM
wait $child; code=$?
if kill -0 $child 2>/dev/null; then wait $child; code=$?; fi
kill $watcher 2>/dev/null
exit $code`

/** A program that cannot outlive this process. */
export interface GuardedProcess {
  /** Asks the program to stop; the same happens automatically when this process dies. */
  release(): void
  /** Ends the program and its guard at once with this signal, if they still run. */
  kill(signal: NodeJS.Signals): void
  /** Resolves when the program and its guard have ended, with the exit code (1 if a signal ended it). */
  readonly ended: Promise<number>
}

export interface GuardOptions {
  /** Runs as this user and group; undefined: as the current user. */
  uid?: number | undefined
  /** Open files that the program inherits, as its fd 4, 5 and so on. */
  keepOpen?: readonly number[]
  /** Environment variables besides PATH and a neutral locale; this process's others are not inherited. */
  env?: Readonly<Record<string, string>>
  /**
   * How the program is asked to stop. A shell's background programs ignore INT, PostgreSQL's fast shutdown, until they
   * handle it; TERM ends a program that is still starting.
   */
  stopSignal: 'INT' | 'TERM'
  /** Called for each line that the program writes to stderr. */
  onLine: (line: string) => void
  /** Called for each line that the program writes to stdout; undefined: nobody reads it. */
  onOutput?: (line: string) => void
}

/**
 * Starts a program under the watchdog, in a separate session, so that a terminal's Ctrl-C reaches only this process.
 */
export function startGuarded(program: string, args: readonly string[], options: GuardOptions): GuardedProcess {
  const child = spawn('/bin/sh', ['-c', SCRIPT, 'watchdog', options.stopSignal, program, ...args], {
    // The current directory may be inaccessible to the other user.
    cwd: '/',
    env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC', ...options.env },
    detached: true,
    stdio: ['ignore', options.onOutput ? 'pipe' : 'ignore', 'pipe', 'pipe', ...(options.keepOpen ?? [])],
    ...(options.uid === undefined ? {} : { uid: options.uid, gid: options.uid }),
  })
  const lifeline = child.stdio[3] as Writable
  // The other end closes first when the program ends, which needs no handling.
  lifeline.on('error', () => undefined)
  readLines(child.stderr, options.onLine)
  if (options.onOutput) readLines(child.stdout, options.onOutput)
  return {
    release: () => lifeline.destroy(),
    kill(signal) {
      // The guard leads a process group of its own.
      const isAlive = child.exitCode === null && child.signalCode === null
      if (child.pid !== undefined && isAlive) process.kill(-child.pid, signal)
    },
    ended: new Promise((resolve, reject) => {
      child.once('error', reject)
      child.once('close', (code) => {
        lifeline.destroy()
        resolve(code ?? 1)
      })
    }),
  }
}

function readLines(stream: Readable | null, onLine: (line: string) => void): void {
  let rest = ''
  stream?.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) onLine(line)
  })
}
