import type { Shell } from '../src/shell.ts'

export interface TestShell extends Shell {
  /** Every line on stdout and on stderr so far. */
  readonly printed: string[]
  readonly complained: string[]
  /** The programs that replaced this process. */
  readonly became: string[][]
  interrupt(): void
}

/** A shell without a terminal, whose output a test reads. */
export function testShell(env: Readonly<Record<string, string | undefined>> = {}): TestShell {
  const printed: string[] = []
  const complained: string[] = []
  const became: string[][] = []
  const controller = new AbortController()
  return {
    env,
    printed,
    complained,
    became,
    out: (line) => void printed.push(...line.split('\n')),
    err: (line) => void complained.push(...line.split('\n')),
    isInteractive: false,
    columns: undefined,
    paint: (_format, text) => text,
    interrupted: controller.signal,
    interrupt: () => controller.abort(),
    become: async (args) => {
      became.push([...args])
      return undefined as never
    },
  }
}
