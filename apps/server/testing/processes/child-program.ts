import { type ChildProcess, spawn } from 'node:child_process'
import { programFile } from './program-file.ts'

export interface ChildProgram {
  readonly process: ChildProcess
  /** Resolves with the first past or future line of stdout that begins with `prefix`. */
  line(prefix: string): Promise<string>
  /** Sends SIGKILL, like a crash or a machine out of memory. */
  kill(): Promise<void>
}

export interface ProgramOptions {
  /** Runs as this user; needs root. */
  readonly uid?: number
  /** Added to the environment. */
  readonly env?: Record<string, string>
}

/** Runs `testing/programs/<name>.ts` as a separate process. */
export function startProgram(
  name: string,
  args: readonly string[],
  { uid, env = {} }: ProgramOptions = {},
): ChildProgram {
  const file = programFile(name, new URL(`../programs/${name}.ts`, import.meta.url))
  const child = spawn(process.execPath, [file, ...args], {
    cwd: '/',
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
    ...(uid === undefined ? {} : { uid, gid: uid }),
  })
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const lines: string[] = []
  const waiting = new Set<() => void>()
  let rest = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const parts = (rest + text).split('\n')
    rest = parts.pop() ?? ''
    lines.push(...parts)
    for (const look of waiting) look()
  })
  return {
    process: child,
    line: (prefix) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = lines.find((line) => line.startsWith(prefix))
          if (found === undefined) return
          waiting.delete(look)
          resolve(found)
        }
        waiting.add(look)
        closed.then(() => reject(new Error(`${name} ended without the line '${prefix}': ${lines.join(' | ')}`)))
        look()
      }),
    kill: () => {
      child.kill('SIGKILL')
      return closed
    },
  }
}
