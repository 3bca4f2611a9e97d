import { ConfigError } from '../../config.ts'

/**
 * Runs a command on the host: its lines go to stdout. If it throws, the reason goes to stderr, a line for each wrong
 * setting, and the exit code is 2. The command loads the service's code itself: its help must not wait for that.
 */
export async function runHostCommand(
  command: (
    env: Readonly<Record<string, string | undefined>>,
    args: readonly string[],
    say: (line: string) => void,
  ) => Promise<void>,
): Promise<void> {
  try {
    await command(process.env, process.argv.slice(2), (line) => process.stdout.write(`${line}\n`))
  } catch (error) {
    const problems =
      error instanceof ConfigError ? error.problems : [error instanceof Error ? error.message : String(error)]
    for (const line of problems) process.stderr.write(`${line}\n`)
    process.exitCode = 2
  }
}
