import Type from 'typebox'
import type { Database } from '../../../database/index.ts'
import { LIST_LIMIT_DEFAULT } from '../../../kernel/index.ts'
import { type ListedBreak, listBreaks } from '../../../ledger/index.ts'
import { type App, envelope, id, ok, pageQuery } from '../../http/index.ts'
import { byEveryone } from '../access.ts'
import { orNull } from '../formats.ts'
import { Pagination, paginationOf } from '../pagination.ts'
import { dateTime } from '../schemas.ts'

const BreakData = Type.Object(
  {
    id: id('Break id.'),
    walletId: id('Wallet id.'),
    walletAddress: Type.String({ description: 'Address of the wallet.' }),
    blockchain: Type.String({ description: 'Chain of the wallet.' }),
    tokenAddress: Type.String({ description: 'Address of the token.' }),
    amountBaseUnits: Type.String({ description: 'Base units that the ledger shows and the chain does not.' }),
    openedAt: dateTime('When the difference was found.'),
    closedAt: orNull(dateTime('When it was gone.'), 'When it was gone; null while it is open.'),
  },
  { $id: 'LedgerBreak', description: 'A difference between ledger and chain.' },
)

const present = ({ amount, openedAt, closedAt, ...rest }: ListedBreak) => ({
  ...rest,
  amountBaseUnits: amount.toString(),
  openedAt: openedAt.toISOString(),
  closedAt: closedAt?.toISOString() ?? null,
})

/** What is open between ledger and chain. */
export function breakRoutes(app: App, parts: { readonly db: Database }): void {
  app.get(
    '/api/core/breaks',
    {
      config: byEveryone,
      schema: {
        tags: ['Operational wallets'],
        operationId: 'listBreaks',
        summary: 'List differences between ledger and chain',
        description:
          'Open ones first, then newest first. A break opens when a wallet holds less than the ledger says and the difference is not explained by a transfer; it closes when both agree.',
        querystring: Type.Object({ ...pageQuery }),
        response: {
          200: envelope(
            Type.Object({
              breaks: Type.Array(BreakData, { description: 'The breaks.' }),
              open: Type.Integer({ description: 'How many of all are open.' }),
              pagination: Pagination,
            }),
            'The breaks.',
          ),
        },
      },
    },
    async ({ credential: { organizationId }, query: { limit = LIST_LIMIT_DEFAULT, offset = 0 } }) => {
      const { items, total, open } = await listBreaks(parts, organizationId, { limit, offset })
      return ok({ breaks: items.map(present), open, pagination: paginationOf({ limit, offset }, total, items.length) })
    },
  )
}
