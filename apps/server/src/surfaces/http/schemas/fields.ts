import Type from 'typebox'
import { BLOCKCHAINS } from '../../../chains/index.ts'
import { SEARCH_TEXT_LENGTH_MAX } from '../../../kernel/index.ts'
import { documentedAs } from './documented-as.ts'

/** A time as both surfaces write it: ISO 8601 (spec 2.1, contract 1). */
export const dateTime = (description: string) => Type.String({ format: 'date-time', description })

/** v1 money (spec 2.1). */
export const baseUnits = (description: string) =>
  Type.String({ pattern: '^-?[0-9]+$', description: `${description} Base units of the token.` })

/** Makes a field nullable without losing its description. */
export const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
  Type.Union([schema, Type.Null()], 'description' in schema ? { description: schema.description as string } : {})

export const blockchain = Type.Enum([...BLOCKCHAINS], { $id: 'Blockchain', description: 'Blockchain, lower case.' })

/** An object of the caller's own. Without `additionalProperties`, responses would lack names that contain a line break. */
export const anyObject = (description: string) =>
  Type.Record(Type.String(), Type.Unknown(), { additionalProperties: true, description })

/**
 * The name of a chain where rows have it as text, or where a verb refuses other names with an error of its own: the
 * document shows the enum, the service reads and writes a string.
 */
export const blockchainText = (description: string, options: { minLength?: number; maxLength?: number } = {}) =>
  Type.String({ ...options, description, ...documentedAs({ type: 'string', enum: [...BLOCKCHAINS], description }) })

/** What a verifier needs to know about a strategy beyond its names. */
export const strategyContracts = {
  tokenDecimals: Type.Integer({ description: 'Number of decimal places of the token.' }),
  contracts: Type.Record(Type.String(), Type.String(), {
    description:
      'Addresses of the protocol by role, such as `pool` and `aToken` of Aave, `vault` of ERC-4626, `program` on Solana.',
  }),
  spender: orNull(
    Type.String({
      description: 'The contract that a supply approves to take the tokens; null where there is no token approval.',
    }),
  ),
}

/** A query parameter that is one of several words: the document lists them, the service accepts them in any case. */
export const enumQuery = (words: readonly string[], description: string) =>
  Type.String({ description, ...documentedAs({ type: 'string', enum: [...words], description }) })

/** The text that a list is filtered by. */
export const searchText = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: SEARCH_TEXT_LENGTH_MAX, description }))
