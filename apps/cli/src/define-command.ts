import { Argument, type Command, InvalidArgumentError, Option } from 'commander'
import { pagesPlace } from './pages-place.ts'
import { EXIT, type Shell } from './shell.ts'

/** What a command found or did. */
export interface Result {
  /** Printed with `--json`. */
  readonly json: unknown
  /** Printed otherwise. */
  readonly lines?: readonly string[]
  /** Exit code; 0 by default. */
  readonly code?: number
}

export interface Example {
  /** Arguments after `weir`. */
  readonly run: string
  readonly does: string
}

/** A command as its help and docs/cli.md describe it. */
export interface Definition<Options> {
  /** Name and arguments, such as `create <name>`. */
  readonly usage: string
  /** One line for the list of commands. */
  readonly summary: string
  /** Complete sentences: what it does, what it changes, what it needs. */
  readonly description: string
  /** Each argument of `usage` by name. */
  readonly arguments?: Readonly<Record<string, string>>
  /** The values that an argument may have. */
  readonly choices?: Readonly<Record<string, readonly string[]>>
  /** What each of these values does, for completion; what the argument does if absent. */
  readonly does?: Readonly<Record<string, string>>
  /** Flags and what they do; a third entry lists the values. */
  readonly options?: readonly (readonly [flags: string, description: string, choices?: readonly string[]])[]
  readonly examples: readonly Example[]
  /** Exit codes that mean something particular here. */
  readonly codes?: Readonly<Record<number, string>>
  /** Arguments are another program's: options among them are passed on, and there is no `--json`. */
  readonly passesOn?: boolean
  /** Prints for another program or until Ctrl-C, in its own form: there is no `--json`. */
  readonly printsItself?: boolean
  /** Loads what it needs itself: the definitions of all commands are read for any help. */
  readonly run: (shell: Shell, args: readonly string[], options: Options) => Promise<Result | undefined>
}

/** What a definition adds to commander's own facts about a command. */
export interface Facts {
  readonly does: Readonly<Record<string, string>>
  readonly examples: readonly Example[]
  readonly codes: Readonly<Record<number, string>>
}

const facts = new WeakMap<Command, Facts>()

export function factsOf(command: Command): Facts {
  return facts.get(command) ?? { does: {}, examples: [], codes: {} }
}

/** Adds a command below `parent`. Its result is printed, and its exit code given to `end`. */
export function defineCommand<Options extends object>(
  parent: Command,
  { shell, end }: { readonly shell: Shell; readonly end: (code: number) => void },
  definition: Definition<Options>,
): void {
  const [name = '', ...given] = definition.usage.split(' ')
  const command = parent.command(name).summary(definition.summary).description(definition.description)
  for (const text of given) {
    const called = text.replace(/[<>[\].]/g, '')
    const argument = new Argument(text, definition.arguments?.[called])
    const choices = definition.choices?.[called]
    command.addArgument(choices ? argument.choices(choices) : argument)
  }
  for (const [flags, description, choices] of definition.options ?? []) {
    const option = new Option(flags, description)
    if (choices) option.choices(choices)
    if (flags.includes('...')) collectValues(option)
    command.addOption(option)
  }
  if (definition.passesOn) command.allowUnknownOption().passThroughOptions()
  else if (!definition.printsItself) command.option('--json', 'print one JSON value instead of text')
  facts.set(command, { does: definition.does ?? {}, examples: definition.examples, codes: definition.codes ?? {} })
  command.addHelpText('after', () => [examplesText(definition.examples), ...placeOf(definition)].join('\n'))
  command.action(async (...values: unknown[]) => {
    const options = values.at(-2) as Options & { readonly json?: boolean }
    const args = values
      .slice(0, -2)
      .flat()
      .filter((value) => value !== undefined) as string[]
    const result = await definition.run(shell, args, options)
    if (result === undefined) return
    if (options.json && result.json !== undefined) shell.out(JSON.stringify(result.json, null, 2))
    else for (const line of result.lines ?? []) shell.out(line)
    end(result.code ?? EXIT.done)
  })
}

/** One value each time, so that an argument may follow; a repeated option collects its values. */
function collectValues(option: Option): void {
  const { argChoices } = option
  option.variadic = false
  option.argParser((value: string, all: readonly string[] | undefined) => {
    if (argChoices && !argChoices.includes(value)) {
      throw new InvalidArgumentError(`Allowed choices are ${argChoices.join(', ')}.`)
    }
    return [...(all ?? []), value]
  })
}

/** Where the pages are that the help cites. */
function placeOf({ description, options = [] }: Pick<Definition<object>, 'description' | 'options'>): string[] {
  return pagesPlace([description, ...options.flat()].join(' ')).map((line) => `\n${line}`)
}

function examplesText(examples: readonly Example[]): string {
  return ['\nExamples:', ...examples.flatMap(({ run, does }) => [`  # ${does}`, `  weir ${run}`])].join('\n')
}
