import Type from 'typebox'
import { BLOCKCHAINS, type Blockchain, isBlockchain } from '../../chains/index.ts'
import { validationError } from '../../kernel/index.ts'
import { enumQuery } from '../http/index.ts'

export { baseUnits, blockchain, blockchainText, dateTime, orNull } from '../http/index.ts'

/** A case-insensitive filter by blockchain (contract 1). Read it with {@link blockchainFilter}. */
export const blockchainQuery = Type.Optional(enumQuery(BLOCKCHAINS, 'Blockchain, case-insensitive.'))

/** Error: VALIDATION_ERROR for an unsupported chain; `arbitrum` is only announced. */
export function blockchainFilter(text: string | undefined): Blockchain | undefined {
  if (text === undefined) return undefined
  const name = text.toLowerCase()
  if (!isBlockchain(name)) throw validationError('blockchain', `must be one of ${BLOCKCHAINS.join(', ')}`)
  return name
}

/** Parses a filter by one of several words, case-insensitively. Error: VALIDATION_ERROR. */
export function enumFilter<W extends string>(
  path: string,
  text: string | undefined,
  words: readonly W[],
): W | undefined {
  if (text === undefined) return undefined
  const word = words.find((candidate) => candidate.toLowerCase() === text.toLowerCase())
  if (word === undefined) throw validationError(path, `must be one of ${words.join(', ')}`)
  return word
}
