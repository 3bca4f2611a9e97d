import Type from 'typebox'
import { getExit, listExits } from '../../../allocations/index.ts'
import type { Database } from '../../../database/index.ts'
import { scopeOf } from '../../../identity/index.ts'
import { LIST_LIMIT_DEFAULT } from '../../../kernel/index.ts'
import { type App, envelope, exitStatus, id, idParams, ok, pageQuery } from '../../http/index.ts'
import { byEveryoneAndKeys } from '../access.ts'
import { ExitData, presentExit } from '../exit-data.ts'
import { requestedOpWalletId } from '../formats.ts'
import { Pagination, paginationOf } from '../pagination.ts'

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
          'What wallets requested back from strategies that pay later, newest first. Weir claims it for operational wallets once it can be claimed; for other wallets, plan the claim with `POST /v1/operations/claim`. Errors: WALLET_NOT_FOUND if `walletId` or `opWalletId` does not exist; VALIDATION_ERROR if `opWalletId` and `managedWalletId` differ.',
        querystring: Type.Object({
          ...pageQuery,
          status: Type.Optional(exitStatus),
          walletId: Type.Optional(id('Only exits of this wallet.')),
          opWalletId: Type.Optional(id('Only exits of this operational wallet: of its wallet and token.')),
          managedWalletId: Type.Optional(id('Alias of opWalletId.')),
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
      const { limit = LIST_LIMIT_DEFAULT, offset = 0, status: state, walletId, strategyId } = query
      const filter = { state, walletId, opWalletId: requestedOpWalletId(query), strategyId }
      const { exits, total } = await listExits(db, scopeOf(credential), filter, { limit, offset })
      return ok({ exits: exits.map(presentExit), pagination: paginationOf({ limit, offset }, total, exits.length) })
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
    async ({ credential, params }) => ok(presentExit(await getExit(db, scopeOf(credential), params.id))),
  )
}
