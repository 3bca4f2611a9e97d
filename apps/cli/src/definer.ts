import type { Command } from 'commander'
import type { Shell } from './shell.ts'

/** What the definitions of commands are given. */
export interface Definer {
  readonly program: Command
  readonly shell: Shell
  /** Takes the exit code of the command that ran. */
  readonly end: (code: number) => void
  /** A command that only has others below it. */
  group(name: string, summary: string): Command
}
