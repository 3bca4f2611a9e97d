import Type from 'typebox'
import { type ExitView, listExits } from '../../../allocations/index.ts'
import type { Database } from '../../../database/index.ts'
import { scopeOf } from '../../../identity/index.ts'
import { type App, exitStatus, id, pageQuery } from '../../http/index.ts'
import { baseUnits, dateTime, orNull } from '../schemas.ts'

const ExitRecord = Type.Object(
  {
    exitId: id('Exit id.'),
    status: exitStatus,
    walletId: id('Wallet id.'),
    strategyId: id('Strategy id.'),
    token: Type.String({ description: 'Token symbol.' }),
    tokenAddress: Type.String({ description: 'Token contract address.' }),
    pending: baseUnits('What waits, at its current value.'),
    claimable: baseUnits('What can be claimed now.'),
    claimed: baseUnits('What was claimed so far.'),
    claimableAt: orNull(
      dateTime('When all of it can be claimed, by the clock of the chain; null if the protocol does not say.'),
    ),
  },
  { $id: 'ExitRecord', description: 'What a wallet requested back from a strategy that pays later.' },
)

const present = (exit: ExitView) => ({
  exitId: exit.exitId,
  status: exit.state,
  walletId: exit.walletId,
  strategyId: exit.strategyId,
  token: exit.token,
  tokenAddress: exit.tokenAddress,
  pending: exit.pending.toString(),
  claimable: exit.claimable.toString(),
  claimed: exit.claimed.toString(),
  claimableAt: exit.claimableAt?.toISOString() ?? null,
})

/** Withdrawals that take time, on v1. */
export function exitRoutes(app: App, { db }: { readonly db: Database }): void {
  app.get(
    '/v1/exits',
    {
      config: { access: { surface: 'v1', needs: 'read', permission: 'read' }, limit: 'v1.read' },
      schema: {
        tags: ['Allocations'],
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
      return { exits: exits.map(present), total, limit, offset, hasMore: offset + exits.length < total }
    },
  )
}
