import Type from 'typebox'
import { getOperationalWallet, listOperationalWallets, type OperationalWalletView } from '../../../allocations/index.ts'
import { BLOCKCHAINS } from '../../../chains/index.ts'
import { actorOf } from '../../../identity/index.ts'
import { formatDecimal, METADATA_BYTES_MAX, parseDecimal, validationError } from '../../../kernel/index.ts'
import {
  addOperationalWallet,
  findOperationalWalletToken,
  findWalletToken,
  type OperationalWalletWithToken,
  updateOperationalWallet,
  type WalletParts,
} from '../../../wallets/index.ts'
import {
  type App,
  anyObject,
  beforeQuery,
  enumQuery,
  envelope,
  id,
  idParams,
  ok,
  optionalPageQuery,
  pageWindowOf,
  runVerb,
  totalCount,
} from '../../http/index.ts'
import { byAdminsAndServiceAccounts, byEveryoneAndKeys } from '../access.ts'
import { decimal, optionalEnumValueOf, orNull } from '../formats.ts'
import { CreatedBy, dateTime } from '../schemas.ts'
import { requireTokenAddresses } from '../token-filter.ts'
import { labelOf, walletLabel, walletText } from '../wallet-names.ts'

const DEFAULT_TOKEN = 'USDC'

const enableYield = Type.Boolean({ description: 'Whether Weir deploys the balance above the buffer automatically.' })
const bufferText = Type.String({
  description: 'Minimum liquid balance, a decimal amount of the token.',
  examples: ['1000.00'],
})
const metadata = anyObject('Your own metadata.')
const metadataOrNull = orNull(metadata, 'Your own metadata; null if not set.')

const settings = {
  id: id('Operational wallet id.'),
  opWalletId: id('Same as id.'),
  managedWalletId: id('Same as id.'),
  enableYield,
  bufferAmount: decimal('Minimum liquid balance.'),
}

const AddedWallet = Type.Object(
  {
    ...settings,
    orgWalletId: id('Organization wallet id.'),
    token: Type.String({ description: 'Token symbol.' }),
    metadata: metadataOrNull,
    createdAt: dateTime('When the wallet became operational.'),
    createdBy: Type.Optional(CreatedBy),
  },
  { $id: 'AddedOperationalWallet', description: 'A new operational wallet.' },
)

const MonitoredWallet = Type.Object(
  {
    ...settings,
    orgWalletId: id('Organization wallet id.'),
    address: Type.String({ description: 'Checksummed on EVM chains, base58 on Solana.' }),
    label: Type.Optional(walletLabel),
    blockchain: Type.Enum([...BLOCKCHAINS], { description: 'Blockchain, lower case.' }),
    token: Type.String({ description: 'Token symbol.' }),
    tokenDecimals: Type.Integer({ description: 'Number of decimal places of the token.' }),
    availableBalance: decimal('Balance in the wallet that is available for use.'),
    reservedBalance: decimal('Balance reserved for unfinished operations.'),
    deployedBalance: decimal('Current value of its positions, including yield.'),
    deployedAt: orNull(
      dateTime('Chain time.'),
      'When that value was read, from the clock of the chain; null without a position.',
    ),
    exitingBalance: Type.Optional(
      decimal(
        'Requested back from strategies that pay later, and not claimed. It earns nothing, or less. Absent if nothing is.',
      ),
    ),
    totalBalance: decimal('Sum of available, reserved, deployed and exiting.'),
    metadata: metadataOrNull,
    createdAt: dateTime('When the wallet became operational.'),
    createdBy: Type.Optional(CreatedBy),
    updatedAt: dateTime('When bufferAmount or enableYield was last changed.'),
  },
  { $id: 'OperationalWallet', description: 'A wallet and a token whose idle balance Weir deploys, with balances.' },
)

const BufferSettings = Type.Object(
  { ...settings, updatedAt: dateTime('When the settings were changed.') },
  { $id: 'BufferSettings', description: 'The settings of an operational wallet.' },
)

const presentSettings = ({ operationalWallet, token }: OperationalWalletWithToken) => ({
  id: operationalWallet.opWalletId,
  opWalletId: operationalWallet.opWalletId,
  managedWalletId: operationalWallet.opWalletId,
  enableYield: operationalWallet.enableYield,
  bufferAmount: formatDecimal(operationalWallet.buffer, token.decimals),
})

const presentAdded = (added: OperationalWalletWithToken) =>
  ok({
    ...presentSettings(added),
    orgWalletId: added.operationalWallet.walletId,
    token: added.token.symbol,
    metadata: added.operationalWallet.metadata,
    createdAt: added.operationalWallet.createdAt.toISOString(),
    createdBy: added.operationalWallet.createdBy,
  })

const presentChanged = (changed: OperationalWalletWithToken) =>
  ok({ ...presentSettings(changed), updatedAt: changed.operationalWallet.updatedAt.toISOString() })

function presentOperationalWallet(wallet: OperationalWalletView) {
  const amount = (units: bigint) => formatDecimal(units, wallet.token.decimals)
  return {
    id: wallet.opWalletId,
    opWalletId: wallet.opWalletId,
    managedWalletId: wallet.opWalletId,
    orgWalletId: wallet.walletId,
    address: wallet.address,
    label: labelOf(wallet),
    blockchain: wallet.blockchain as (typeof BLOCKCHAINS)[number],
    enableYield: wallet.enableYield,
    bufferAmount: amount(wallet.buffer),
    token: wallet.token.symbol,
    tokenDecimals: wallet.token.decimals,
    availableBalance: amount(wallet.available),
    reservedBalance: amount(wallet.reserved),
    deployedBalance: amount(wallet.deployed),
    deployedAt: wallet.deployedAt?.toISOString() ?? null,
    ...(wallet.exiting > 0n && { exitingBalance: amount(wallet.exiting) }),
    totalBalance: amount(wallet.total),
    metadata: wallet.metadata,
    createdAt: wallet.createdAt.toISOString(),
    createdBy: wallet.createdBy,
    updatedAt: wallet.updatedAt.toISOString(),
  }
}

const tags = ['Operational wallets']

/** Operational wallets: add, list, buffer settings (spec 4.2, contract 7). */
export function operationalWalletRoutes(app: App, parts: WalletParts): void {
  app.post(
    '/api/core/wallets/add-and-monitor',
    {
      config: {
        ...byAdminsAndServiceAccounts,
        idempotent: 'plain',
        audit: { details: ['data.orgWalletId', 'data.token', 'data.enableYield', 'data.bufferAmount'] },
      },
      schema: {
        tags,
        operationId: 'monitorWallet',
        summary: 'Add an operational wallet',
        description:
          'From now on Weir deploys the balance above the buffer, and withdraws when the balance falls below it. Errors: WALLET_NOT_FOUND; INVALID_TOKEN_SYMBOL if the token does not exist on the blockchain; CONFLICT if the wallet is already operational for this token.',
        body: Type.Object({
          orgWalletId: id('Organization wallet id.'),
          enableYield: Type.Optional({ ...enableYield, default: true }),
          bufferAmount: Type.Optional({ ...bufferText, default: '0' }),
          token: Type.Optional(Type.String({ default: DEFAULT_TOKEN, description: 'Token symbol, case-insensitive.' })),
          metadata: Type.Optional(orNull(metadata, 'Your own metadata; null for none.')),
        }),
        response: { 201: envelope(AddedWallet, 'The operational wallet was added.') },
      },
    },
    async (request, reply) => {
      const { orgWalletId, enableYield = true, bufferAmount = '0', token = DEFAULT_TOKEN, metadata } = request.body
      requireMetadataSize(metadata)
      const { organizationId } = request.credential
      const watched = await findWalletToken(parts, { organizationId, walletId: orgWalletId, symbol: token })
      const buffer = bufferOf(bufferAmount, watched.token)
      const input = { ...watched, enableYield, buffer, metadata, createdBy: actorOf(request.credential) }
      return runVerb(reply, 201, presentAdded, (transact) => addOperationalWallet(parts, input, transact))
    },
  )

  app.get(
    '/api/core/wallets/monitored',
    {
      config: byEveryoneAndKeys,
      schema: {
        tags,
        operationId: 'listMonitoredWallets',
        summary: 'List operational wallets with their balances',
        description:
          'Newest first; all by default, or `limit` at a time. `X-Total-Count` holds the total that matches. Error: TOKEN_NOT_FOUND for a token that none of the configured chains has.',
        querystring: Type.Object({
          orgWalletId: Type.Optional(id('Only those of this organization wallet, one for each token.')),
          blockchain: Type.Optional(enumQuery(BLOCKCHAINS, 'Only those on this blockchain, case-insensitive.')),
          token: Type.Optional(Type.String({ description: 'Only those of this token: a symbol, case-insensitive.' })),
          q: Type.Optional(walletText),
          belowBuffer: Type.Optional(
            Type.Boolean({
              description:
                'With true, only those that have less than their buffer available, and deploy what is above it or have something deployed.',
            }),
          ),
          ...optionalPageQuery,
          ...beforeQuery,
        }),
        response: {
          200: envelope(Type.Array(MonitoredWallet, { description: 'Newest first.' }), 'The operational wallets.'),
        },
      },
    },
    async (request, reply) => {
      const { orgWalletId: walletId, q: text, belowBuffer, before } = request.query
      const filter = {
        walletId,
        text,
        belowBuffer,
        blockchain: optionalEnumValueOf('blockchain', request.query.blockchain, BLOCKCHAINS),
        tokenAddresses: requireTokenAddresses(parts, request.query.token),
      }
      const page = { ...pageWindowOf(request.query), before }
      const { organizationId } = request.credential
      const { wallets, total } = await listOperationalWallets(parts, organizationId, filter, page)
      totalCount(reply, total)
      return ok(wallets.map(presentOperationalWallet))
    },
  )

  app.get(
    '/api/core/wallets/monitored/:id',
    {
      config: byEveryoneAndKeys,
      schema: {
        tags,
        operationId: 'getMonitoredWallet',
        summary: 'Get an operational wallet with its balances',
        description: 'Error: WALLET_NOT_FOUND.',
        params: idParams('Operational wallet id.'),
        response: { 200: envelope(MonitoredWallet, 'The operational wallet.') },
      },
    },
    async ({ credential: { organizationId }, params }) =>
      ok(presentOperationalWallet(await getOperationalWallet(parts, { organizationId, opWalletId: params.id }))),
  )

  app.put(
    '/api/core/wallets/monitored/:id/buffer-settings',
    {
      config: { ...byAdminsAndServiceAccounts, audit: { details: ['data.enableYield', 'data.bufferAmount'] } },
      schema: {
        tags,
        operationId: 'changeBufferSettings',
        summary: 'Change the settings of an operational wallet',
        description:
          'Send at least one of the two fields; an omitted field keeps its value. Triggers rebalancing: a lower buffer deploys the excess, a higher one withdraws what is missing. With `enableYield: false` nothing more is deployed automatically, and existing positions stay. Errors: WALLET_NOT_FOUND; CONFLICT if the settings changed since `basedOnUpdatedAt`.',
        params: idParams('Operational wallet id.'),
        body: Type.Object({
          enableYield: Type.Optional(enableYield),
          bufferAmount: Type.Optional(bufferText),
          basedOnUpdatedAt: Type.Optional(
            dateTime(
              '`updatedAt` of the settings that you change. If it differs from the current value, the request fails with 409 CONFLICT (`details.reason` `changed_meanwhile`).',
            ),
          ),
        }),
        response: { 200: envelope(BufferSettings, 'The updated settings.') },
      },
    },
    async (request, reply) => {
      const { enableYield, bufferAmount, basedOnUpdatedAt } = request.body
      if (enableYield === undefined && bufferAmount === undefined) {
        throw validationError('bufferAmount', 'either enableYield or bufferAmount is required')
      }
      const named = { organizationId: request.credential.organizationId, opWalletId: request.params.id }
      const buffer =
        bufferAmount === undefined ? undefined : bufferOf(bufferAmount, await findOperationalWalletToken(parts, named))
      const basedOn = basedOnUpdatedAt === undefined ? undefined : new Date(basedOnUpdatedAt)
      const input = { ...named, enableYield, buffer, basedOn }
      return runVerb(reply, 200, presentChanged, (transact) => updateOperationalWallet(parts, input, transact))
    },
  )
}

/** Metadata is stored and returned as a whole, so its size is limited. Error: VALIDATION_ERROR. */
function requireMetadataSize(metadata: unknown): void {
  if (metadata == null || Buffer.byteLength(JSON.stringify(metadata)) <= METADATA_BYTES_MAX) return
  throw validationError('metadata', `must be at most ${METADATA_BYTES_MAX} bytes of JSON`)
}

/** A buffer in base units; zero is allowed. Error: VALIDATION_ERROR. */
function bufferOf(text: string, token: { decimals: number; symbol: string }): bigint {
  const amount = parseDecimal(text, token.decimals)
  if (amount !== undefined) return amount
  const message = `must be a decimal amount of ${token.symbol} with at most ${token.decimals} digits`
  throw validationError('bufferAmount', message)
}
