import Type from 'typebox'
import { BLOCKCHAINS, type Blockchain, isBlockchain } from '../../chains/index.ts'
import { validationError } from '../../kernel/index.ts'

/** v1 times are ISO strings (spec 2.1). */
export const dateTime = (description: string) => Type.String({ format: 'date-time', description })

/** v1 money (spec 2.1). */
export const baseUnits = (description: string) =>
  Type.String({ pattern: '^-?[0-9]+$', description: `${description} Base units of the token.` })

/** Makes a field nullable without losing its description. */
export const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
  Type.Union([schema, Type.Null()], 'description' in schema ? { description: schema.description as string } : {})

export const blockchain = Type.Enum([...BLOCKCHAINS], { description: 'Blockchain, lower case.' })

/** A case-insensitive filter by blockchain (contract 1). Read it with {@link blockchainFilter}. */
export const blockchainQuery = Type.Optional(
  Type.String({ description: `One of ${BLOCKCHAINS.join(', ')}, case-insensitive.`, examples: ['polygon'] }),
)

/** Error: VALIDATION_ERROR for an unsupported chain; `arbitrum` is only announced. */
export function blockchainFilter(text: string | undefined): Blockchain | undefined {
  if (text === undefined) return undefined
  const name = text.toLowerCase()
  if (!isBlockchain(name)) throw validationError('blockchain', `must be one of ${BLOCKCHAINS.join(', ')}`)
  return name
}

/** Parses a filter by one of several words, case-insensitively. Error: VALIDATION_ERROR. */
export function wordFilter<W extends string>(
  path: string,
  text: string | undefined,
  words: readonly W[],
): W | undefined {
  if (text === undefined) return undefined
  const word = words.find((candidate) => candidate.toLowerCase() === text.toLowerCase())
  if (word === undefined) throw validationError(path, `must be one of ${words.join(', ')}`)
  return word
}
