import Type from 'typebox'
import { BLOCKCHAINS, type Chains } from '../../../chains/index.ts'
import type { Database } from '../../../database/index.ts'
import { type Clock, LIST_LIMIT_DEFAULT, type Log, REASON_LENGTH_MAX, validationError } from '../../../kernel/index.ts'
import { acceptBreak, BREAK_STATUSES, findBreak, type ListedBreak, listBreaks } from '../../../ledger/index.ts'
import {
  type App,
  blockchainText,
  enumQuery,
  envelope,
  id,
  idParams,
  ok,
  pageQuery,
  runVerb,
  userCredentialOf,
} from '../../http/index.ts'
import { byAdminsWithStepUp, byEveryoneAndServiceAccounts } from '../access.ts'
import { optionalEnumValueOf, orNull } from '../formats.ts'
import { Pagination, paginationOf } from '../pagination.ts'
import { dateTime } from '../schemas.ts'
import { labelOfSubject, walletLabel, walletText } from '../wallet-names.ts'

const status = Type.Enum([...BREAK_STATUSES], {
  description: 'open, accepted by a person, or closed because ledger and chain agree again.',
})

const BreakData = Type.Object(
  {
    id: id('Break id.'),
    status: Type.Optional(status),
    walletId: id('Wallet id.'),
    walletAddress: Type.String({ description: 'Address of the wallet.' }),
    blockchain: blockchainText('Chain of the wallet.'),
    walletLabel: Type.Optional(walletLabel),
    tokenAddress: Type.String({ description: 'Address of the token.' }),
    token: Type.Optional(
      orNull(Type.String({ description: 'Token symbol.' }), 'Token symbol; null if the chain is no longer configured.'),
    ),
    tokenDecimals: Type.Optional(
      orNull(
        Type.Integer({ description: 'Decimals.' }),
        'Decimals of the token; null if the chain is no longer configured.',
      ),
    ),
    amountBaseUnits: Type.String({ description: 'Base units that the ledger shows and the chain does not.' }),
    blockNumber: Type.Optional(
      orNull(Type.Integer({ description: 'Block number.' }), 'The block at which the amount was last measured.'),
    ),
    openedAt: dateTime('When the difference was found.'),
    closedAt: orNull(dateTime('When it was gone.'), 'When the difference was resolved; null while it is open.'),
    acceptedAt: Type.Optional(orNull(dateTime('When it was accepted.'), 'When a person accepted it, or null.')),
    acceptedBy: Type.Optional(orNull(id('User id.'), 'The user who accepted it, or null.')),
    acceptedReason: Type.Optional(orNull(Type.String({ description: 'Reason.' }), 'Why it was accepted, or null.')),
  },
  { $id: 'LedgerBreak', description: 'A difference between ledger and chain.' },
)

const presentIn = (chains: Chains) => (found: ListedBreak) => {
  const { id, status, walletId, walletAddress, blockchain, tokenAddress, amount, blockNumber, openedAt } = found
  const acceptance = found.status === 'open' ? null : found.acceptance
  const tokens = chains.get(found.blockchain)?.network.tokens ?? []
  const token = tokens.find(({ address }) => address === found.tokenAddress)
  return {
    id,
    status,
    walletId,
    walletAddress,
    blockchain,
    tokenAddress,
    blockNumber,
    walletLabel: labelOfSubject(found),
    token: token?.symbol ?? null,
    tokenDecimals: token?.decimals ?? null,
    amountBaseUnits: amount.toString(),
    openedAt: openedAt.toISOString(),
    closedAt: found.status === 'closed' ? found.closedAt.toISOString() : null,
    acceptedAt: acceptance?.acceptedAt.toISOString() ?? null,
    acceptedBy: acceptance?.acceptedBy ?? null,
    acceptedReason: acceptance?.acceptedReason ?? null,
  }
}

const tags = ['Operational wallets']

/** Open differences between ledger and chain: `/api/core/breaks`. */
export function breakRoutes(
  app: App,
  parts: { readonly db: Database; readonly clock: Clock; readonly chains: Chains; readonly log: Log },
): void {
  const present = presentIn(parts.chains)
  app.get(
    '/api/core/breaks',
    {
      config: byEveryoneAndServiceAccounts,
      schema: {
        tags,
        operationId: 'listBreaks',
        summary: 'List differences between ledger and chain',
        description:
          'Open ones first, then accepted, then closed ones, each newest first. A break opens when a wallet holds less than the ledger says and the difference is not explained by a transfer; it closes when both agree. With `at`, the breaks as they were at that moment: what was closed or accepted later was open; amounts are those measured last. Error: NOT_READY, while something before a moment just past is still being posted.',
        querystring: Type.Object({
          ...pageQuery,
          status: Type.Optional(status),
          blockchain: Type.Optional(
            enumQuery(BLOCKCHAINS, 'Only breaks of wallets on this blockchain, case-insensitive.'),
          ),
          q: Type.Optional(walletText),
          at: Type.Optional(dateTime('The breaks of this moment; now by default. Not in the future.')),
        }),
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
    async ({ credential: { organizationId }, query }) => {
      const { limit = LIST_LIMIT_DEFAULT, offset = 0, status: wanted, q: text } = query
      const blockchain = optionalEnumValueOf('blockchain', query.blockchain, BLOCKCHAINS)
      const at = query.at === undefined ? undefined : new Date(query.at)
      if (at && at > parts.clock.now()) throw validationError('at', 'must not be in the future')
      const { items, total, open } = await listBreaks(parts, organizationId, {
        limit,
        offset,
        status: wanted,
        blockchain,
        text,
        at,
      })
      return ok({ breaks: items.map(present), open, pagination: paginationOf({ limit, offset }, total, items.length) })
    },
  )

  app.get(
    '/api/core/breaks/:id',
    {
      config: byEveryoneAndServiceAccounts,
      schema: {
        tags,
        operationId: 'getBreak',
        summary: 'Get a difference between ledger and chain',
        description: 'Unknown break: 404 NOT_FOUND.',
        params: idParams('Break id.'),
        response: { 200: envelope(BreakData, 'The break.') },
      },
    },
    async ({ credential: { organizationId }, params }) =>
      ok(present(await findBreak(parts.db, organizationId, params.id))),
  )

  app.post(
    '/api/core/breaks/:id/accept',
    {
      config: {
        ...byAdminsWithStepUp,
        idempotent: 'plain',
        idempotentByUser: true,
        audit: { details: ['data.amountBaseUnits'] },
      },
      schema: {
        tags,
        operationId: 'acceptBreak',
        summary: 'Accept a difference between ledger and chain',
        description:
          'Records that a person knows why the current amount is missing. An accepted break no longer counts as open. It changes no balance, opens again when the amount grows, and closes when ledger and chain agree. Errors: NOT_FOUND; CONFLICT if it is closed or already accepted.',
        params: idParams('Break id.'),
        body: Type.Object({
          reason: Type.String({
            minLength: 1,
            maxLength: REASON_LENGTH_MAX,
            description: 'Why the difference is acceptable. Auditors read it; it is kept.',
          }),
        }),
        response: { 200: envelope(BreakData, 'The accepted break.') },
      },
    },
    async (request, reply) => {
      const { organizationId, userId } = userCredentialOf(request)
      const acceptance = { organizationId, userId, breakId: request.params.id, reason: request.body.reason }
      return runVerb(
        reply,
        200,
        (accepted: ListedBreak) => ok(present(accepted)),
        (transact) => acceptBreak(parts, acceptance, transact),
      )
    },
  )
}
