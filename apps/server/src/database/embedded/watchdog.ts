import { type ChildProcess, spawn } from 'node:child_process'
import type { Writable } from 'node:stream'

/**
 * The shell that stands between us and the guarded program. Its fd 3 is a pipe whose other end only we hold: when we
 * are gone, however suddenly, the kernel closes that end, `read` returns, and the program is told to stop (SIGINT,
 * PostgreSQL's fast shutdown). A signal sent to the shell is passed on, and `wait` is repeated because a trap ends it.
 */
const SCRIPT = `
"$@" 3<&- & child=$!
(read _ <&3; kill -INT $child) & watcher=$!
trap 'kill -INT $child' INT TERM
wait $child; code=$?
if kill -0 $child 2>/dev/null; then wait $child; code=$?; fi
kill $watcher
exit $code`

/** A program that cannot outlive us. */
export interface GuardedProcess {
  readonly process: ChildProcess
  /** Asks the program to stop; the same thing happens by itself when this process dies. */
  release(): void
  /** Settles when the program and its guard have ended; the value is the exit code (1 when a signal ended it). */
  readonly ended: Promise<number>
}

export interface GuardOptions {
  /** Runs as this user and group; undefined: as ourselves. */
  uid: number | undefined
  /** Open files that the program keeps from its start to its end, as its fd 4, 5 and so on. */
  keepOpen: readonly number[]
  /** Called for each line that the program writes to stderr. */
  onLine: (line: string) => void
}

/** Starts a program under the watchdog, in a session of its own, so that a terminal's Ctrl-C reaches only us. */
export function startGuarded(program: string, args: readonly string[], options: GuardOptions): GuardedProcess {
  const child = spawn('/bin/sh', ['-c', SCRIPT, 'watchdog', program, ...args], {
    // Our own directory may be closed to the other user.
    cwd: '/',
    env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' },
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', ...options.keepOpen],
    ...(options.uid === undefined ? {} : { uid: options.uid, gid: options.uid }),
  })
  const lifeline = child.stdio[3] as Writable
  // The other end is closed when the program ends first, which is no news here.
  lifeline.on('error', () => undefined)
  readLines(child, options.onLine)
  return {
    process: child,
    release: () => lifeline.destroy(),
    ended: new Promise((resolve, reject) => {
      child.once('error', reject)
      child.once('close', (code) => {
        lifeline.destroy()
        resolve(code ?? 1)
      })
    }),
  }
}

function readLines(child: ChildProcess, onLine: (line: string) => void): void {
  let rest = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) onLine(line)
  })
}
