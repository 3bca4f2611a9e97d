import Type from 'typebox'
import { type ExitView, getExit, listExits } from '../../../allocations/index.ts'
import type { Database } from '../../../database/index.ts'
import { scopeOf } from '../../../identity/index.ts'
import { formatDecimal, LIST_LIMIT_DEFAULT } from '../../../kernel/index.ts'
import { type App, envelope, exitStatus, id, idParams, ok, pageQuery } from '../../http/index.ts'
import { byEveryoneAndKeys } from '../access.ts'
import { decimal, opWalletFields, orNull, presentOpWalletIds } from '../formats.ts'
import { Pagination, paginationOf } from '../pagination.ts'
import { dateTime } from '../schemas.ts'
import { labelOfSubject, walletLabel } from '../wallet-names.ts'

const ExitData = Type.Object(
  {
    id: id('Exit id.'),
    status: exitStatus,
    ...opWalletFields,
    walletId: id('Wallet id.'),
    walletAddress: Type.String({ description: 'Address of the wallet.' }),
    walletLabel: Type.Optional(walletLabel),
    blockchain: Type.String({ description: 'Chain of the wallet.' }),
    strategyId: id('Strategy id.'),
    strategy: Type.String({ description: 'Name of the strategy.' }),
    venue: Type.String({ description: 'Name of the venue.' }),
    token: Type.String({ description: 'Token symbol.' }),
    tokenDecimals: Type.Integer({ description: 'Number of decimal places of the token.' }),
    pending: decimal('What waits, at its current value.'),
    claimable: decimal('What can be claimed now.'),
    requested: decimal('What was requested, at its value then.'),
    claimed: decimal('What was claimed so far.'),
    claimableAt: orNull(
      dateTime('Chain time.'),
      'When all of it can be claimed, by the clock of the chain; null if the protocol does not say.',
    ),
    openedAt: dateTime('When the first request was final, by the clock of the chain.'),
    claimedAt: orNull(dateTime('Chain time.'), 'When the last of it was claimed; null until then.'),
    updatedAt: dateTime('When a reading last changed it.'),
  },
  { $id: 'Exit', description: 'What a wallet requested back from a strategy that pays later.' },
)

function present(exit: ExitView) {
  const amount = (units: bigint) => formatDecimal(units, exit.tokenDecimals)
  return {
    id: exit.exitId,
    status: exit.state,
    ...presentOpWalletIds(exit.opWalletId),
    walletId: exit.walletId,
    walletAddress: exit.walletAddress,
    walletLabel: labelOfSubject(exit),
    blockchain: exit.blockchain,
    strategyId: exit.strategyId,
    strategy: exit.strategyName,
    venue: exit.venueName,
    token: exit.token,
    tokenDecimals: exit.tokenDecimals,
    pending: amount(exit.pending),
    claimable: amount(exit.claimable),
    requested: amount(exit.requested),
    claimed: amount(exit.claimed),
    claimableAt: exit.claimableAt?.toISOString() ?? null,
    openedAt: exit.openedAt.toISOString(),
    claimedAt: exit.claimedAt?.toISOString() ?? null,
    updatedAt: exit.updatedAt.toISOString(),
  }
}

const tags = ['Core allocations']

/** Withdrawals that take time, on core: `/api/core/exits`. */
export function exitRoutes(app: App, { db }: { readonly db: Database }): void {
  app.get(
    '/api/core/exits',
    {
      config: byEveryoneAndKeys,
      schema: {
        tags,
        operationId: 'listExits',
        summary: 'List exits',
        description:
          'What wallets requested back from strategies that pay later, newest first. Weir claims it for operational wallets once it can be claimed; for other wallets, plan the claim with `POST /v1/operations/claim`. Error: WALLET_NOT_FOUND if `walletId` or `opWalletId` does not exist.',
        querystring: Type.Object({
          ...pageQuery,
          status: Type.Optional(exitStatus),
          walletId: Type.Optional(id('Only exits of this wallet.')),
          opWalletId: Type.Optional(id('Only exits of this operational wallet: of its wallet and token.')),
          strategyId: Type.Optional(id('Only exits of this strategy.')),
        }),
        response: {
          200: envelope(
            Type.Object({
              exits: Type.Array(ExitData, { description: 'The exits.' }),
              pagination: Pagination,
            }),
            'The exits.',
          ),
        },
      },
    },
    async ({ credential, query }) => {
      const { limit = LIST_LIMIT_DEFAULT, offset = 0, status: state, walletId, opWalletId, strategyId } = query
      const filter = { state, walletId, opWalletId, strategyId }
      const { exits, total } = await listExits(db, scopeOf(credential), filter, { limit, offset })
      return ok({ exits: exits.map(present), pagination: paginationOf({ limit, offset }, total, exits.length) })
    },
  )

  app.get(
    '/api/core/exits/:id',
    {
      config: byEveryoneAndKeys,
      schema: {
        tags,
        operationId: 'getExit',
        summary: 'Get an exit',
        description: 'Unknown exit: 404 NOT_FOUND.',
        params: idParams('Exit id.'),
        response: { 200: envelope(ExitData, 'The exit.') },
      },
    },
    async ({ credential: { organizationId }, params }) => ok(present(await getExit(db, organizationId, params.id))),
  )
}
