import Type from 'typebox'
import type { Chains } from '../../../chains/index.ts'
import type { Database } from '../../../database/index.ts'
import { scopeOf } from '../../../identity/index.ts'
import { formatDecimal } from '../../../kernel/index.ts'
import { ENTRY_KINDS, type ListedEntry, listEntries } from '../../../ledger/index.ts'
import { getWallet } from '../../../wallets/index.ts'
import { type App, baseUnits, beforeQuery, enumQuery, envelope, id, ok, pageQuery } from '../../http/index.ts'
import { byEveryoneAndKeys } from '../access.ts'
import { decimal, optionalEnumValueOf, orNull } from '../formats.ts'
import { Pagination, readPage } from '../pagination.ts'
import { dateTime } from '../schemas.ts'
import { requireTokenAddresses } from '../token-filter.ts'

const Posting = Type.Object(
  {
    account: Type.Enum(['available', 'reserved', 'deployed', 'exiting', 'yield', 'external'], {
      $id: 'LedgerAccount',
      description:
        'available, reserved, deployed, exiting: what the wallet owns. yield: the other side of what positions earned. external: the other side of what came and went outside of operations.',
    }),
    token: orNull(Type.String({ description: 'Token symbol.' }), 'Token symbol; null if it is no longer configured.'),
    tokenAddress: Type.String({ description: 'Address of the token.' }),
    amount: orNull(decimal('Signed amount.'), 'Signed amount; null if the token is no longer configured.'),
    amountBaseUnits: baseUnits('The same amount.'),
  },
  { $id: 'LedgerPosting', description: 'What an entry moved on one account of the wallet.' },
)

const Entry = Type.Object(
  {
    id: id('Entry id.'),
    kind: Type.Enum([...ENTRY_KINDS], {
      $id: 'LedgerEntryKind',
      description:
        'reserve, cover, release: what an operation needs is set aside, covered once tokens have arrived, or free again. supply, unwind, exit: tokens moved into a strategy, out of it, or towards an exit. yield, loss, fee: what positions earned or lost. external_balance, external_position: tokens or shares came or went outside of operations. reclassification: what was posted as external turned out to be an operation that was found late. chain_reset: a development chain began again.',
    }),
    operationId: orNull(id('Operation id.'), 'The operation that caused it; null if none did.'),
    blockNumber: orNull(
      Type.Integer({ description: 'Block number.' }),
      'The final block at which it was posted; null if no block caused it.',
    ),
    txHash: orNull(
      Type.String({ description: 'Hash.' }),
      'Of a supply or an unwind: the hash of its last transaction; otherwise null.',
    ),
    bookedAt: dateTime('When it was posted, by the clock of the service.'),
    postings: Type.Array(Posting, { description: 'By token and account. The amounts of each token sum to zero.' }),
  },
  { $id: 'LedgerEntry', description: 'Something that happened to the balances of a wallet. It never changes.' },
)

const Entries = Type.Object(
  { entries: Type.Array(Entry, { description: 'Newest first.' }), pagination: Pagination },
  { $id: 'LedgerEntryList', description: 'A page of ledger entries.' },
)

const presentIn = (chains: Chains, blockchain: string) => (entry: ListedEntry) => {
  const tokens = chains.get(blockchain)?.network.tokens ?? []
  return {
    ...entry,
    bookedAt: entry.bookedAt.toISOString(),
    postings: entry.postings.map(({ account, tokenAddress, amount }) => {
      const token = tokens.find(({ address }) => address === tokenAddress)
      return {
        account,
        token: token?.symbol ?? null,
        tokenAddress,
        amount: token ? formatDecimal(amount, token.decimals) : null,
        amountBaseUnits: amount.toString(),
      }
    }),
  }
}

/** The ledger of one wallet: `GET /api/core/ledger-entries`. */
export function ledgerEntryRoutes(app: App, parts: { readonly db: Database; readonly chains: Chains }): void {
  app.get(
    '/api/core/ledger-entries',
    {
      config: byEveryoneAndKeys,
      schema: {
        tags: ['Organization wallets'],
        operationId: 'listLedgerEntries',
        summary: 'List the ledger entries of a wallet',
        description:
          'Every entry that the ledger has posted for the wallet, newest first. The sums of all amounts by account are the balances of the wallet; up to a moment, those of `GET /api/core/balances` with `at`. Errors: WALLET_NOT_FOUND, TOKEN_NOT_FOUND.',
        querystring: Type.Object({
          walletId: id('The wallet.'),
          token: Type.Optional(
            Type.String({ description: 'Only entries that moved this token: a symbol, case-insensitive.' }),
          ),
          kind: Type.Optional(enumQuery(ENTRY_KINDS, 'Only entries of this kind, case-insensitive.')),
          from: Type.Optional(dateTime('Only entries posted at this moment or later.')),
          until: Type.Optional(dateTime('Only entries posted before this moment.')),
          ...pageQuery,
          ...beforeQuery,
        }),
        response: { 200: envelope(Entries, 'The entries.') },
      },
    },
    async ({ credential, query }) => {
      const { organizationId } = credential
      const { wallet } = await getWallet(parts, scopeOf(credential), query.walletId)
      const filter = {
        organizationId,
        walletId: wallet.walletId,
        tokenAddresses: requireTokenAddresses(parts, query.token),
        kind: optionalEnumValueOf('kind', query.kind, ENTRY_KINDS),
        from: query.from === undefined ? undefined : new Date(query.from),
        until: query.until === undefined ? undefined : new Date(query.until),
      }
      const { page, items, hasMore } = await readPage(
        query,
        (window) => listEntries(parts, { ...filter, ...window }),
        ({ entries }) => entries,
      )
      const { limit, offset } = query
      return ok({
        entries: items.map(presentIn(parts.chains, wallet.blockchain)),
        pagination: { total: page.total, limit, offset, hasMore },
      })
    },
  )
}
