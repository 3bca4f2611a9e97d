import { CommanderError } from 'commander'
import { candidates } from './complete.ts'
import { createProgram } from './program.ts'
import { EXIT, type Shell, UsageError } from './shell.ts'

/** Runs one command and returns its exit code. Every error becomes lines that say what to do. */
export async function run(args: readonly string[], shell: Shell): Promise<number> {
  let code: number = EXIT.done
  const asJson = args.includes('--json')
  const program = createProgram(
    shell,
    (ended) => {
      code = ended
    },
    // With --json the error is printed below, as JSON.
    asJson ? () => {} : (line) => shell.err(line),
  )
  if (args[0] === '__complete') {
    for (const { word, does } of candidates(program, args.slice(1))) shell.out(`${word}\t${does}`)
    return EXIT.done
  }
  if (args.length === 0) {
    program.outputHelp()
    return EXIT.done
  }
  try {
    await program.parseAsync([...args], { from: 'user' })
    return code
  } catch (error) {
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) return EXIT.done
      // Otherwise commander has printed it already.
      if (asJson) shell.out(errorJson(usageLines(error)))
      return EXIT.usage
    }
    if (shell.interrupted.aborted) return EXIT.interrupted
    return report(error, shell, asJson)
  }
}

function report(error: unknown, shell: Shell, asJson: boolean): number {
  const lines = linesOf(error)
  const code = error instanceof UsageError || isOfSettings(error) ? EXIT.usage : EXIT.failed
  if (asJson) shell.out(errorJson(lines, codeOf(error)))
  else for (const line of lines) shell.err(`weir: ${line}`)
  return code
}

const errorJson = (messages: readonly string[], code: { readonly code?: string } = {}): string =>
  JSON.stringify({ error: { messages, ...code } }, null, 2)

/** Commander's message; a group without a command has none but its help. */
function usageLines({ code, message }: CommanderError): readonly string[] {
  if (code === 'commander.help') return ['a command is missing (see --help)']
  return message.replace(/^error: /, '').split('\n')
}

/** The service's settings are read by code that is loaded late, so its error is known by its shape. */
function isOfSettings(error: unknown): error is Error & { readonly problems: readonly string[] } {
  return error instanceof Error && 'problems' in error && Array.isArray(error.problems)
}

function linesOf(error: unknown): readonly string[] {
  if (isOfSettings(error)) return error.problems
  if (!(error instanceof Error)) return [String(error)]
  if (!('code' in error && 'status' in error)) return [error.message]
  const id = 'requestId' in error && error.requestId ? `; request ${String(error.requestId)}` : ''
  return [`the service returned ${String(error.status)} ${String(error.code)}: ${error.message}${id}`]
}

function codeOf(error: unknown): { readonly code?: string } {
  return error instanceof Error && 'status' in error && 'code' in error ? { code: String(error.code) } : {}
}
