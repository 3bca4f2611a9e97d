import Type from 'typebox'
import { BLOCKCHAINS } from '../../chains/index.ts'
import { type IdentityParts, searchMembers } from '../../identity/index.ts'
import {
  formatDecimal,
  SEARCH_NAMES_MAX,
  SEARCH_RESULTS_MAX,
  SEARCH_TEXT_LENGTH_MAX,
  UNREADABLE,
} from '../../kernel/index.ts'
import { findOperationViews, type Parts } from '../../operations/index.ts'
import { formatDollars, listTransactions, type RampParts, searchRecipients } from '../../ramp/index.ts'
import { operationalTokensOf, searchWallets } from '../../wallets/index.ts'
import { type App, envelope, id, ok } from '../http/index.ts'
import { byEveryone } from './access.ts'
import { decimal, orNull } from './formats.ts'
import { operationStatus, operationType } from './operations/operations.ts'
import { dateTime, RoleName } from './schemas.ts'
import { labelOf, walletLabel } from './wallet-names.ts'

const Found = Type.Object(
  {
    wallets: Type.Array(
      Type.Object({
        id: id('Organization wallet id.'),
        address: Type.String({ description: 'Address of the wallet.' }),
        label: walletLabel,
        blockchain: Type.Enum([...BLOCKCHAINS], { description: 'Blockchain, lower case.' }),
        opWalletIds: Type.Array(id('Operational wallet id.'), { description: 'Its operational wallets.' }),
      }),
      { description: 'Wallets whose label or address begins with the text; those with a matching label first.' },
    ),
    operations: Type.Array(
      Type.Object({
        id: id('Operation id.'),
        type: operationType,
        status: operationStatus,
        amount: decimal('Amount moved or requested.'),
        token: Type.String({ description: 'Token symbol.' }),
        createdAt: dateTime('When the operation was planned.'),
      }),
      { description: 'The operation with this id, or with a transaction that has or had this hash.' },
    ),
    payments: Type.Array(
      Type.Object({
        id: id('Ramp transaction id.'),
        type: Type.Enum(['onramp', 'offramp'], { description: 'onramp: dollars become tokens. offramp: the reverse.' }),
        status: Type.String({ description: 'Status of the ramp transaction.' }),
        usdAmount: decimal('Amount in USD.'),
        recipient: orNull(Type.String({ description: 'Name.' }), 'Name of the recipient; null for the organization.'),
        createdAt: dateTime('When it was recorded.'),
      }),
      { description: 'The payment with this id, or with this hash.' },
    ),
    recipients: Type.Array(
      Type.Object({
        id: id('Recipient id.'),
        name: Type.String({ description: 'Name.' }),
        kybStatus: orNull(Type.String({ description: 'Status.' }), 'Status of the verification.'),
        archived: Type.Boolean({ description: 'Whether it is archived.' }),
      }),
      {
        description:
          'The recipient with this id or external id, and those with a word of the name that begins with it.',
      },
    ),
    members: Type.Array(
      Type.Object({
        id: id('User id.'),
        email: Type.String({ description: 'Email address.' }),
        name: orNull(Type.String({ description: 'Name.' }), 'Name; null if the member has not set one.'),
        role: RoleName,
      }),
      { description: 'Members whose address, or a word of whose name, begins with the text.' },
    ),
    unsearchedRecipients: Type.Integer({
      minimum: 0,
      description: `Recipients whose names were not searched: names are encrypted, and those of the newest ${SEARCH_NAMES_MAX} are opened. Search the others by id or external id.`,
    }),
  },
  { $id: 'SearchResults', description: `What matches, at most ${SEARCH_RESULTS_MAX} of each kind.` },
)

type SearchParts = Parts & Pick<IdentityParts, 'db'> & { readonly ramp: Pick<RampParts, 'db' | 'fields'> }

/** An id, if the text may be one. */
const idOf = (text: string) => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined)
/** A hash of an EVM chain in its stored spelling, or a signature of Solana; nothing shorter is a whole one. */
const hashOf = (text: string) =>
  /^0x[0-9a-f]{64}$/i.test(text) ? text.toLowerCase() : /^[1-9A-HJ-NP-Za-km-z]{64,90}$/.test(text) ? text : undefined

/** Search across the objects of an organization: `GET /api/core/search`. */
export function searchRoute(app: App, parts: SearchParts): void {
  app.get(
    '/api/core/search',
    {
      config: byEveryone,
      schema: {
        tags: ['Organization'],
        operationId: 'search',
        summary: 'Search wallets, operations, payments, recipients and members',
        description: `Finds labels, addresses and names by their beginning, in any case, and ids, hashes and external ids as a whole; at most ${SEARCH_RESULTS_MAX} of each kind. The lists have filters for more.`,
        querystring: Type.Object({
          q: Type.String({
            minLength: 1,
            maxLength: SEARCH_TEXT_LENGTH_MAX,
            pattern: '\\S',
            description: 'What to search for; spaces around it do not count.',
          }),
        }),
        response: { 200: envelope(Found, 'What matches.') },
      },
    },
    async ({ query, credential: { organizationId } }) => {
      const text = query.q.trim()
      const [wallets, operations, payments, { recipients, unsearched }, members] = await Promise.all([
        findWallets(parts, organizationId, text),
        findOperations(parts, organizationId, text),
        findPayments(parts, organizationId, text),
        searchRecipients(parts.ramp, organizationId, text, SEARCH_RESULTS_MAX),
        searchMembers(parts, organizationId, text, SEARCH_RESULTS_MAX),
      ])
      return ok({
        wallets,
        operations,
        payments,
        recipients: recipients.map(({ customerId, name, kybStatus, isArchived }) => ({
          id: customerId,
          name,
          kybStatus,
          archived: isArchived,
        })),
        members: members.map(({ id: memberId, email, name, role }) => ({ id: memberId, email, name, role })),
        unsearchedRecipients: unsearched,
      })
    },
  )
}

async function findWallets({ db }: SearchParts, organizationId: number, text: string) {
  const wallets = await searchWallets(db, organizationId, text, SEARCH_RESULTS_MAX)
  const ids = wallets.map(({ walletId }) => walletId)
  const tokens = Map.groupBy(await operationalTokensOf(db, organizationId, ids), ({ walletId }) => walletId)
  return wallets.map((wallet) => ({
    id: wallet.walletId,
    address: wallet.address,
    label: labelOf(wallet),
    blockchain: wallet.blockchain as (typeof BLOCKCHAINS)[number],
    opWalletIds: (tokens.get(wallet.walletId) ?? []).map(({ opWalletId }) => opWalletId),
  }))
}

async function findOperations({ db }: SearchParts, organizationId: number, text: string) {
  const operationId = idOf(text)
  const txHash = hashOf(text)
  if (operationId === undefined && txHash === undefined) return []
  const by = operationId === undefined ? { txHash: txHash! } : { operationId }
  return (await findOperationViews(db, organizationId, by)).slice(0, SEARCH_RESULTS_MAX).map((operation) => ({
    id: operation.operationId,
    type: operation.type,
    status: operation.state,
    amount: formatDecimal(operation.amount, operation.tokenDecimals),
    token: operation.token,
    createdAt: operation.createdAt.toISOString(),
  }))
}

async function findPayments({ ramp }: SearchParts, organizationId: number, text: string) {
  const transactionId = idOf(text)
  const txHash = hashOf(text)
  if (transactionId === undefined && txHash === undefined) return []
  const page = { limit: SEARCH_RESULTS_MAX, offset: 0 }
  const { transactions } = await listTransactions(ramp, organizationId, { transactionId, txHash }, page)
  return transactions.map((payment) => ({
    id: payment.transactionId,
    type: payment.direction,
    status: payment.status,
    usdAmount: formatDollars(payment.usdCents),
    recipient: payment.recipientId === null ? null : (payment.customerName ?? UNREADABLE),
    createdAt: payment.createdAt.toISOString(),
  }))
}
