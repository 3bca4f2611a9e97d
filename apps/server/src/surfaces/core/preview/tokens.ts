import Type from 'typebox'
import { BLOCKCHAINS, type Chains } from '../../../chains/index.ts'
import { type App, enumQuery, envelope, id, ok } from '../../http/index.ts'
import { byEveryoneAndKeys } from '../access.ts'
import { enumValueOf, orNull } from '../formats.ts'

const UPPER = BLOCKCHAINS.map((blockchain) => blockchain.toUpperCase())

const TokenRecord = Type.Object(
  {
    id: id('Token id, stable while the configured tokens stay the same.'),
    symbol: Type.String({ description: 'Symbol.' }),
    name: Type.String({ description: 'Name.' }),
    decimals: Type.Integer({ description: 'Decimals.' }),
    blockchain: Type.Enum([...BLOCKCHAINS], { description: 'Blockchain, lower case.' }),
    mintAddress: Type.String({ description: 'Address of the token.' }),
    iconUrl: orNull(Type.String(), 'URL of the icon; null if there is none.'),
  },
  { $id: 'Token', description: 'A supported token.' },
)

/** Tokens of every chain, numbered in a fixed order. */
function tokensOf(chains: Chains) {
  const all = BLOCKCHAINS.flatMap((blockchain) =>
    (chains.get(blockchain)?.network.tokens ?? []).map((token) => ({ blockchain, token })),
  )
  return all.map(({ blockchain, token: { symbol, name, decimals, address } }, index) => ({
    id: index + 1,
    symbol,
    name,
    decimals,
    blockchain,
    mintAddress: address,
    iconUrl: null,
  }))
}

/** `GET /api/tokens` (spec 4.9). */
export function tokenRoutes(app: App, { chains }: { chains: Chains }): void {
  app.get(
    '/api/tokens',
    {
      config: byEveryoneAndKeys,
      schema: {
        tags: ['Preview'],
        operationId: 'listTokens',
        summary: 'List tokens',
        description: 'Preview. The list changes only when the configuration of the service changes.',
        querystring: Type.Object({
          blockchain: Type.Optional(enumQuery(BLOCKCHAINS, 'Only tokens of this blockchain, case-insensitive.')),
        }),
        response: { 200: envelope(Type.Array(TokenRecord, { description: 'By blockchain.' }), 'The tokens.') },
      },
    },
    async ({ query }) => {
      const only = query.blockchain === undefined ? undefined : enumValueOf('blockchain', query.blockchain, UPPER)
      return ok(tokensOf(chains).filter(({ blockchain }) => !only || blockchain.toUpperCase() === only))
    },
  )
}
