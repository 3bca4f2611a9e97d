import { styleText } from 'node:util'

type Format = Parameters<typeof styleText>[0]

/** What every command exits with; docs/cli.md lists them. */
export const EXIT = {
  /** Done, and nothing wrong was found. */
  done: 0,
  /** The command did its work and found something wrong. */
  problems: 1,
  /** Wrong arguments or settings; nothing was done. */
  usage: 2,
  /** The command could not do its work. */
  failed: 3,
  /** Interrupted by Ctrl-C. */
  interrupted: 130,
} as const

/** The world around a command. */
export interface Shell {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Prints a line on stdout. */
  out(line: string): void
  /** Prints a line on stderr. */
  err(line: string): void
  /** Whether a person sits at both ends, so that a question can be asked. */
  readonly isInteractive: boolean
  /** The columns of the terminal; undefined if stdout is not one. */
  readonly columns: number | undefined
  /** Adds a color if stdout is a terminal and NO_COLOR is unset. */
  paint(format: Format, text: string): string
  /** Aborts on Ctrl-C, for commands that run until then. Reading it replaces the default of ending at once. */
  readonly interrupted: AbortSignal
  /** Replaces this process by Node with these arguments, so that signals and the exit code are the program's own. */
  become(args: readonly string[]): Promise<never>
}

/** The wrong use of a command: exit code 2. */
export class UsageError extends Error {}

/** The shell of this process. */
export function openShell(): Shell {
  let controller: AbortController | undefined
  // The reader may be gone, as in `weir ... | head`: that is not a failure of the command.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(EXIT.done)
  })
  return {
    env: process.env,
    out: (line) => void process.stdout.write(`${line}\n`),
    err: (line) => void process.stderr.write(`${line}\n`),
    isInteractive: Boolean(process.stdin.isTTY && process.stdout.isTTY),
    columns: process.stdout.isTTY ? process.stdout.columns : undefined,
    paint: (format, text) => styleText(format, text, { stream: process.stdout }),
    get interrupted() {
      if (controller === undefined) {
        const abort = new AbortController()
        controller = abort
        for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => abort.abort())
      }
      return controller.signal
    },
    async become(args) {
      process.execve!(process.execPath, [process.execPath, ...args], process.env)
      throw new Error('could not replace this process')
    },
  }
}
