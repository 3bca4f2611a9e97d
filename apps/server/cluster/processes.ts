import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync, readdirSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'

/** A process of the cluster, which can be killed, frozen and started again with the same command. */
export interface Member {
  readonly name: string
  readonly pid: number
  isRunning(): boolean
  start(): void
  /** Signals the process, and those that work in its folder. */
  signal(signal: NodeJS.Signals): void
  /** Signals only the process that was started: Patroni, and not the server that it runs. */
  signalAlone(signal: NodeJS.Signals): void
  /** Signals only the processes that work in its folder. */
  signalServer(signal: NodeJS.Signals): void
  /** Kills it if need be, and waits until it is gone. */
  end(signal?: NodeJS.Signals): Promise<void>
}

export interface MemberOptions {
  readonly name: string
  readonly program: string
  readonly args: readonly string[]
  readonly env?: NodeJS.ProcessEnv
  /** Runs as this user; otherwise as the caller. */
  readonly user?: { readonly uid: number; readonly gid: number } | undefined
  /** Its output goes to `<name>.log` there. */
  readonly logs: string
  /** Processes with this working directory belong to it: the server that Patroni started, for example. */
  readonly folder?: string
  /** Its working directory; otherwise the root. */
  readonly cwd?: string
  /** Called when it ends though nobody ended it; it is then started again, as systemd does. */
  readonly onUnexpectedEnd?: (what: string) => void
}

/** What systemd waits before it starts a service again. */
export const RESTART_MS = 1_000

export function defineMember(options: MemberOptions): Member {
  let child: ChildProcess | undefined
  let ended: Promise<unknown> = Promise.resolve()
  let isEnding = false
  const isRunning = () => child !== undefined && child.exitCode === null && child.signalCode === null
  const member: Member = {
    name: options.name,
    get pid() {
      return child?.pid ?? 0
    },
    isRunning,
    start() {
      const log = openSync(join(options.logs, `${options.name}.log`), 'a')
      child = spawn(options.program, options.args, {
        stdio: ['ignore', log, log],
        env: { ...process.env, ...options.env },
        // The caller's folder may be closed to the user.
        cwd: options.cwd ?? '/',
        ...(options.user && { uid: options.user.uid, gid: options.user.gid }),
      })
      // An unexpected failure to start shows in the log of the run: the cluster never becomes healthy.
      child.on('error', () => undefined)
      ended = once(child, 'close').catch(() => undefined)
      isEnding = false
      child.once('exit', (code, signal) => {
        if (isEnding || !options.onUnexpectedEnd) return
        options.onUnexpectedEnd(`${options.name} ended with ${code ?? signal}`)
        setTimeout(() => isEnding || member.start(), RESTART_MS).unref()
      })
    },
    signal(signal) {
      member.signalAlone(signal)
      member.signalServer(signal)
    },
    signalAlone(signal) {
      if (isRunning()) send(child!.pid!, signal)
    },
    signalServer(signal) {
      for (const pid of options.folder ? pidsIn(options.folder) : []) send(pid, signal)
    },
    async end(signal = 'SIGKILL') {
      isEnding = true
      member.signal('SIGCONT')
      member.signal(signal)
      if (isRunning()) await ended
    },
  }
  return member
}

/** The processes whose working directory is this folder. */
function pidsIn(folder: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readlinkSync(`/proc/${pid}/cwd`) === folder
      } catch {
        return false
      }
    })
    .map(Number)
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    // It ended at the same moment.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
