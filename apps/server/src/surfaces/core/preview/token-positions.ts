import Type from 'typebox'
import { getTokenPosition, type TokenPosition } from '../../../allocations/index.ts'
import type { Chains } from '../../../chains/index.ts'
import type { Database } from '../../../database/index.ts'
import { Failure } from '../../../kernel/index.ts'
import { type App, envelope, id, idParams, ok } from '../../http/index.ts'
import { byEveryoneAndKeys } from '../access.ts'
import { Amount, amountOf, twoDigits } from '../formats.ts'
import { dateTime } from '../schemas.ts'
import { rate, TokenDetail } from './schemas.ts'

const TokenPositionRecord = Type.Object(
  {
    opWallet: Type.Object(
      { id: id('Operational wallet id.'), address: Type.String({ description: 'Address of the wallet.' }) },
      { description: 'The operational wallet.' },
    ),
    token: TokenDetail,
    balances: Type.Object(
      { total: Amount, available: Amount, allocated: Amount, principal: Amount, yield: Amount },
      {
        description: 'total: sum of available, reserved and allocated. principal: total minus lifetime yield.',
      },
    ),
    performance: Type.Object(
      { currentAPY: rate('Average rate of open positions, weighted by value.'), lifetimeYield: Amount },
      { description: 'Current rate and lifetime yield.' },
    ),
    timestamps: Type.Object(
      {
        lastUpdated: dateTime('When the value was last read.'),
        inceptionDate: dateTime('When the wallet became operational.'),
      },
      { description: 'Timestamps.' },
    ),
  },
  { $id: 'TokenPosition', description: 'Balances and yield of an operational wallet.' },
)

function present(position: TokenPosition) {
  const { token, operationalWallet } = position
  const amount = (units: bigint) => amountOf(units, token)
  return {
    opWallet: { id: operationalWallet.opWalletId, address: position.address },
    token: { symbol: token.symbol, decimals: token.decimals, mintAddress: token.address },
    balances: {
      total: amount(position.total),
      available: amount(position.available),
      allocated: amount(position.allocated),
      principal: amount(position.total - position.yield),
      yield: amount(position.yield),
    },
    performance: { currentAPY: twoDigits(position.currentApy), lifetimeYield: amount(position.yield) },
    timestamps: {
      lastUpdated: position.lastUpdated.toISOString(),
      inceptionDate: operationalWallet.createdAt.toISOString(),
    },
  }
}

/** `GET /api/token-positions/op-wallet/:id` (spec 4.9). */
export function tokenPositionRoutes(app: App, parts: { db: Database; chains: Chains }): void {
  app.get(
    '/api/token-positions/op-wallet/:id',
    {
      config: byEveryoneAndKeys,
      schema: {
        tags: ['Preview'],
        operationId: 'listTokenPositions',
        summary: 'List token positions of an operational wallet',
        description: 'Preview. An operational wallet has one token. Error: WALLET_NOT_FOUND.',
        params: idParams('Operational wallet id.'),
        response: {
          200: envelope(Type.Array(TokenPositionRecord, { description: 'By token.' }), 'One entry for its token.'),
        },
      },
    },
    async ({ params, credential: { organizationId } }) => {
      const position = await getTokenPosition(parts, { organizationId, opWalletId: params.id })
      if (!position) throw new Failure('WALLET_NOT_FOUND', { message: 'The operational wallet does not exist.' })
      return ok([present(position)])
    },
  )
}
