import type { Command } from 'commander'
import { factsOf } from './define-command.ts'

export interface Candidate {
  readonly word: string
  readonly does: string
}

/** What can come next: `words` are those after `weir`, the last one is incomplete and may be empty. */
export function candidates(program: Command, words: readonly string[]): Candidate[] {
  const before = words.slice(0, -1)
  const begun = words.at(-1) ?? ''
  const command = commandAt(program, before)
  const choices = choicesOf(command, before.at(-1))
  const all = choices ?? [...(begun.startsWith('-') ? optionsOf(command) : commandsOf(command))]
  return all.filter(({ word }) => word.startsWith(begun))
}

/** The command that the words lead to; options and arguments lead nowhere. */
function commandAt(program: Command, words: readonly string[]): Command {
  let command = program
  for (const word of words) command = command.commands.find((below) => below.name() === word) ?? command
  return command
}

function commandsOf(command: Command): Candidate[] {
  const below = command.commands.map((each) => ({ word: each.name(), does: each.summary() }))
  const { does } = factsOf(command)
  const values = command.registeredArguments.flatMap(({ argChoices, description }) =>
    (argChoices ?? []).map((word) => ({ word, does: does[word] ?? description })),
  )
  return [...below, ...values]
}

function optionsOf(command: Command): Candidate[] {
  const own = command.options.map(({ long, short, description }) => ({ word: long ?? short ?? '', does: description }))
  return [...own, { word: '--help', does: 'show how it is used' }]
}

/** The values of the option before, if it has a list of them. */
function choicesOf(command: Command, previous: string | undefined): Candidate[] | undefined {
  const option = command.options.find(({ long, short }) => previous !== undefined && [long, short].includes(previous))
  return option?.argChoices?.map((word) => ({ word, does: option.description }))
}
