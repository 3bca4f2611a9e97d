import Type from 'typebox'
import { getExit, listExits } from '../../../allocations/index.ts'
import type { Database } from '../../../database/index.ts'
import { scopeOf } from '../../../identity/index.ts'
import { type App, exitStatus, id, idParams, pageQuery } from '../../http/index.ts'
import { ExitRecord, presentExit } from '../exit-record.ts'

const tags = ['Allocations']
const reads = { access: { surface: 'v1', needs: 'read', permission: 'read' }, limit: 'v1.read' } as const

/** Withdrawals that take time, on v1. */
export function exitRoutes(app: App, { db }: { readonly db: Database }): void {
  app.get(
    '/v1/exits',
    {
      config: reads,
      schema: {
        tags,
        operationId: 'listExitRecords',
        summary: 'List exits',
        description:
          'What wallets within the scope of the key requested back from strategies that pay later, newest first. Plan the claim with `POST /v1/operations/claim` once something can be claimed. Error: WALLET_NOT_FOUND if `walletId` does not exist or is outside the scope of the key.',
        querystring: Type.Object({
          walletId: Type.Optional(id('Only exits of this wallet.')),
          status: Type.Optional(exitStatus),
          ...pageQuery,
        }),
        response: {
          200: Type.Object(
            {
              exits: Type.Array(ExitRecord, { description: 'Newest first.' }),
              total: Type.Integer({ description: 'Total number of matching exits.' }),
              limit: Type.Integer({ description: 'Maximum number of entries requested.' }),
              offset: Type.Integer({ description: 'Entries skipped.' }),
              hasMore: Type.Boolean({ description: 'Whether more entries follow.' }),
            },
            { $id: 'ExitList', description: 'A page of exits.' },
          ),
        },
      },
    },
    async ({ query: { walletId, status: state, limit, offset }, credential }) => {
      const { exits, total } = await listExits(db, scopeOf(credential), { walletId, state }, { limit, offset })
      return { exits: exits.map(presentExit), total, limit, offset, hasMore: offset + exits.length < total }
    },
  )

  app.get(
    '/v1/exits/:id',
    {
      config: reads,
      schema: {
        tags,
        operationId: 'getExitRecord',
        summary: 'Get an exit',
        description:
          'What a wallet requested back from a strategy that pays later, as it is now. Error: NOT_FOUND if the exit does not exist or is outside the scope of the key.',
        params: idParams('Exit id.'),
        response: { 200: ExitRecord },
      },
    },
    async ({ params, credential }) => presentExit(await getExit(db, scopeOf(credential), params.id)),
  )
}
