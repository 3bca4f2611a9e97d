import Type from 'typebox'
import { listPositions, type PositionList, type PositionView } from '../../allocations/index.ts'
import { ADDRESS_FORM } from '../../chains/index.ts'
import { actorOf, scopeOf } from '../../identity/index.ts'
import { EXTERNAL_ID_LENGTH_MAX, METADATA_BYTES_MAX, validationError } from '../../kernel/index.ts'
import {
  getWallet,
  listWallets,
  registerWallet,
  updateWallet,
  type Wallet,
  type WalletDetail,
  type WalletParts,
  type WalletRegistration,
} from '../../wallets/index.ts'
import { type App, anyObject, id, pageOrOffsetQuery, pageWindowOf, runVerb } from '../http/index.ts'
import { baseUnits, blockchain, blockchainFilter, blockchainQuery, dateTime, orNull } from './schemas.ts'

const userId = Type.String({
  minLength: 1,
  maxLength: EXTERNAL_ID_LENGTH_MAX,
  description: 'Your own user or account id, for wallets that belong together.',
})
const orgMetadata = anyObject('Your own metadata.')

const walletFields = {
  walletId: id('Wallet id, for later calls.'),
  walletAddress: Type.String({ description: 'Checksummed on EVM chains, base58 on Solana.' }),
  blockchain,
  userId: orNull(userId),
  orgMetadata: orNull(orgMetadata),
  createdAt: dateTime('When the wallet was registered.'),
}

const WalletRecord = Type.Object(walletFields, { $id: 'Wallet', description: 'A registered wallet.' })

const WalletBalance = Type.Object(
  {
    token: Type.String({ description: 'Symbol.' }),
    tokenAddress: Type.String({ description: 'Token contract address.' }),
    available: baseUnits('Balance in the wallet that is available for use.'),
    reserved: baseUnits('Balance reserved for unfinished operations.'),
    deployed: baseUnits('Value of positions in strategies, including yield: the same as in allocations.'),
    deployedAt: orNull(dateTime('When that value was read, from the clock of the chain; null without a position.')),
    exiting: Type.Optional(
      baseUnits('Requested back from strategies that pay later, and not claimed. Absent if nothing is.'),
    ),
  },
  { $id: 'WalletBalance', description: 'Balance of a wallet in one token, from the ledger.' },
)

const WalletDetailRecord = Type.Object(
  {
    ...walletFields,
    walletProfileId: id('Wallet profile id.'),
    walletProfileName: Type.String({ description: 'Name of the wallet profile.' }),
    balances: Type.Array(WalletBalance, { description: 'One entry for each token of the chain.' }),
  },
  { $id: 'WalletDetail', description: 'A wallet with its profile and balances.' },
)

const WalletList = Type.Object(
  {
    wallets: Type.Array(WalletRecord, { description: 'Newest first.' }),
    total: Type.Integer({ description: 'Total number of matching wallets.' }),
    page: Type.Integer({ description: 'Page number, starting at 1.' }),
    limit: Type.Integer({ description: 'Maximum number of entries requested.' }),
    offset: Type.Integer({ description: 'Entries skipped.' }),
    hasMore: Type.Boolean({ description: 'Whether more entries follow.' }),
  },
  { $id: 'WalletList', description: 'A page of wallets.' },
)

const present = (wallet: Wallet) => ({
  walletId: wallet.walletId,
  walletAddress: wallet.address,
  blockchain: wallet.blockchain as (typeof blockchain)['enum'][number],
  userId: wallet.userId,
  orgMetadata: wallet.orgMetadata,
  createdAt: wallet.createdAt.toISOString(),
})

/** Positions with the value that allocations and core show; the ledger catches up with its next posting. */
function deployedIn(positions: readonly PositionView[], tokenAddress: string) {
  const inToken = positions.filter((position) => position.tokenAddress === tokenAddress)
  const readAt = inToken.map(({ lastUpdated }) => lastUpdated.getTime())
  return {
    deployed: inToken.reduce((sum, { currentValue }) => sum + currentValue, 0n).toString(),
    deployedAt: readAt.length === 0 ? null : new Date(Math.max(...readAt)).toISOString(),
  }
}

const presentDetail = (
  { wallet, walletProfileName, balances }: WalletDetail,
  { positions }: Pick<PositionList, 'positions'>,
) => ({
  ...present(wallet),
  walletProfileId: wallet.walletProfileId,
  walletProfileName,
  balances: balances.map((balance) => ({
    token: balance.token,
    tokenAddress: balance.tokenAddress,
    available: balance.available.toString(),
    reserved: balance.reserved.toString(),
    ...deployedIn(positions, balance.tokenAddress),
    ...(balance.exiting > 0n && { exiting: balance.exiting.toString() }),
  })),
})

/** Metadata is stored and returned as a whole, so its size is limited. Error: VALIDATION_ERROR. */
function requireMetadataSize(metadata: unknown): void {
  if (metadata == null) return
  if (Buffer.byteLength(JSON.stringify(metadata)) > METADATA_BYTES_MAX) {
    throw validationError('orgMetadata', `must be at most ${METADATA_BYTES_MAX} bytes of JSON`)
  }
}

const tags = ['Wallets']
const reads = { access: { surface: 'v1', needs: 'read', permission: 'read' }, limit: 'v1.read' } as const
const writes = {
  access: { surface: 'v1', needs: 'write', permission: 'plan' },
  limit: 'v1.write',
  audit: { object: 'wallet', id: 'data.walletId' },
} as const
const params = Type.Object({ walletId: id('Wallet id.') })

/** Wallets on v1: register, list, get, change (spec 4.6, contract 6). */
export function walletRoutes(app: App, parts: WalletParts): void {
  app.post(
    '/v1/wallets/register',
    {
      config: { ...writes, idempotent: 'plain' },
      schema: {
        tags,
        operationId: 'registerWallet',
        summary: 'Register a wallet',
        description:
          'Idempotent: a wallet that is already registered is returned unchanged with status 200. Errors: INVALID_ADDRESS; FORBIDDEN if the wallet profile does not allow the blockchain; CONFLICT if another profile of your organization has the address.',
        body: Type.Object({
          walletAddress: Type.String({ description: `Address of the wallet: ${ADDRESS_FORM}` }),
          blockchain,
          userId: Type.Optional(orNull(userId)),
          orgMetadata: Type.Optional(orNull(orgMetadata)),
          walletProfileId: Type.Optional(
            id(
              'Wallet profile to register the wallet in; only for organization keys. Defaults to the default profile.',
            ),
          ),
        }),
        response: { 200: WalletRecord, 201: WalletRecord },
      },
    },
    async (request, reply) => {
      requireMetadataSize(request.body.orgMetadata)
      const statusOf = ({ created }: WalletRegistration) => (created ? 201 : 200)
      const presentRegistered = ({ wallet }: WalletRegistration) => present(wallet)
      const { credential } = request
      const input = { ...request.body, scope: scopeOf(credential), createdBy: actorOf(credential) }
      return runVerb(reply, statusOf, presentRegistered, (transact) => registerWallet(parts, input, transact))
    },
  )

  app.get(
    '/v1/wallets',
    {
      config: reads,
      schema: {
        tags,
        operationId: 'listWallets',
        summary: 'List wallets',
        description: 'A profile key sees the wallets of its profile; an admin or organization key sees all wallets.',
        querystring: Type.Object({
          userId: Type.Optional(userId),
          blockchain: blockchainQuery,
          ...pageOrOffsetQuery,
        }),
        response: { 200: WalletList },
      },
    },
    async ({ query, credential }) => {
      const window = pageWindowOf(query)
      const filter = { userId: query.userId, blockchain: blockchainFilter(query.blockchain) }
      const { wallets, total } = await listWallets(parts, scopeOf(credential), filter, window)
      return {
        wallets: wallets.map(present),
        total,
        page: Math.floor(window.offset / window.limit) + 1,
        limit: window.limit,
        offset: window.offset,
        hasMore: window.offset + wallets.length < total,
      }
    },
  )

  app.get(
    '/v1/wallets/:walletId',
    {
      config: reads,
      schema: {
        tags,
        operationId: 'getWallet',
        summary: 'Get a wallet with its balances',
        description: 'Error: WALLET_NOT_FOUND.',
        params,
        response: { 200: WalletDetailRecord },
      },
    },
    async ({ params: { walletId }, credential }) => {
      const scope = scopeOf(credential)
      // One snapshot, so that money that is being deployed is counted once.
      return parts.db
        .transaction()
        .setIsolationLevel('repeatable read')
        .execute(async (tx) => {
          const detail = await getWallet({ ...parts, db: tx }, scope, walletId)
          return presentDetail(detail, await listPositions(tx, scope, { wallets: { walletId } }))
        })
    },
  )

  app.patch(
    '/v1/wallets/:walletId',
    {
      config: writes,
      schema: {
        tags,
        operationId: 'changeWallet',
        summary: 'Change a wallet',
        description:
          'Omitted fields keep their values; null clears a field; metadata is replaced as a whole. Error: WALLET_NOT_FOUND.',
        params,
        body: Type.Object({
          userId: Type.Optional(orNull(userId)),
          orgMetadata: Type.Optional(orNull(orgMetadata)),
        }),
        response: { 200: WalletRecord },
      },
    },
    async (request, reply) => {
      const { params, body, credential } = request
      requireMetadataSize(body.orgMetadata)
      const input = { scope: scopeOf(credential), walletId: params.walletId, change: body }
      return runVerb(reply, 200, present, (transact) => updateWallet(parts.db, input, transact))
    },
  )
}
