import Type from 'typebox'
import { listOperationalWallets, type OperationalWalletView } from '../../../allocations/index.ts'
import { BLOCKCHAINS } from '../../../chains/index.ts'
import { formatDecimal, METADATA_BYTES_MAX, validationError } from '../../../kernel/index.ts'
import {
  addOperationalWallet,
  type OperationalWalletWithToken,
  updateOperationalWallet,
  type WalletParts,
} from '../../../wallets/index.ts'
import {
  type App,
  envelope,
  id,
  idParams,
  ok,
  optionalPageQuery,
  pageWindowOf,
  runVerb,
  totalCount,
} from '../../http/index.ts'
import { byAdmins, byEveryoneAndKeys } from '../access.ts'
import { decimal, orNull } from '../formats.ts'
import { dateTime } from '../schemas.ts'

const DEFAULT_TOKEN = 'USDC'

const enableYield = Type.Boolean({ description: 'Whether what is above the buffer is deployed by itself.' })
const bufferText = Type.String({
  description: 'Least balance that is kept liquid, a decimal amount of the token.',
  examples: ['1000.00'],
})
const metadata = Type.Record(Type.String(), Type.Unknown(), { description: 'Whatever you want to keep with it.' })
const metadataOrNull = orNull(metadata, 'Whatever was kept with it.')

const settings = {
  id: id('Operational wallet id.'),
  opWalletId: id('The same as id.'),
  managedWalletId: id('The same as id.'),
  enableYield,
  bufferAmount: decimal('Least balance that is kept liquid.'),
}

const AddedWallet = Type.Object(
  {
    ...settings,
    orgWalletId: id('Wallet that it watches.'),
    token: Type.String({ description: 'Symbol of the token that it watches.' }),
    metadata: metadataOrNull,
    createdAt: dateTime('Since when it is monitored.'),
  },
  { $id: 'AddedOperationalWallet', description: 'A new operational wallet.' },
)

const MonitoredWallet = Type.Object(
  {
    ...settings,
    orgWalletId: id('Wallet that it watches.'),
    address: Type.String({ description: 'Checksummed on EVM chains, base58 on Solana.' }),
    blockchain: Type.Enum([...BLOCKCHAINS], { description: 'Blockchain, lower case.' }),
    token: Type.String({ description: 'Symbol of the token that it watches.' }),
    availableBalance: decimal('In the wallet and free to use.'),
    reservedBalance: decimal('Held back for operations that are not finished.'),
    deployedBalance: decimal('What its positions are worth now, yield included.'),
    totalBalance: decimal('The three together.'),
    metadata: metadataOrNull,
    createdAt: dateTime('Since when it is monitored.'),
    updatedAt: dateTime('When its buffer or switch was changed last.'),
  },
  { $id: 'OperationalWallet', description: 'One token of a wallet, watched over, with its balances.' },
)

const BufferSettings = Type.Object(
  { ...settings, updatedAt: dateTime('When they were changed.') },
  { $id: 'BufferSettings', description: 'The buffer and the switch of an operational wallet.' },
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
    blockchain: wallet.blockchain as (typeof BLOCKCHAINS)[number],
    enableYield: wallet.enableYield,
    bufferAmount: amount(wallet.buffer),
    token: wallet.token.symbol,
    availableBalance: amount(wallet.available),
    reservedBalance: amount(wallet.reserved),
    deployedBalance: amount(wallet.deployed),
    totalBalance: amount(wallet.total),
    metadata: wallet.metadata,
    createdAt: wallet.createdAt.toISOString(),
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
        ...byAdmins,
        idempotent: 'plain',
        audit: { details: ['data.orgWalletId', 'data.token', 'data.enableYield', 'data.bufferAmount'] },
      },
      schema: {
        tags,
        operationId: 'monitorWallet',
        summary: 'Watch over one token of a wallet',
        description:
          'What is above the buffer is deployed by itself from now on, and comes back when the buffer needs it. Errors: WALLET_NOT_FOUND; INVALID_TOKEN_SYMBOL when the token is not on that blockchain; CONFLICT when this token of the wallet is monitored already.',
        body: Type.Object({
          orgWalletId: id('Wallet to watch over.'),
          enableYield: Type.Optional({ ...enableYield, default: true }),
          bufferAmount: Type.Optional({ ...bufferText, default: '0' }),
          token: Type.Optional(
            Type.String({ default: DEFAULT_TOKEN, description: 'Symbol of the token to watch over, in any case.' }),
          ),
          metadata: Type.Optional(orNull(metadata, 'Whatever you want to keep with it.')),
        }),
        response: { 201: envelope(AddedWallet, 'The wallet is monitored.') },
      },
    },
    async (request, reply) => {
      const { orgWalletId, enableYield = true, bufferAmount = '0', token = DEFAULT_TOKEN, metadata } = request.body
      requireMetadataSize(metadata)
      const { organizationId } = request.credential
      const input = { organizationId, walletId: orgWalletId, enableYield, bufferAmount, token, metadata }
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
        description: 'Newest first; all of them, unless `limit` is sent. `X-Total-Count` tells how many there are.',
        querystring: Type.Object({ ...optionalPageQuery }),
        response: {
          200: envelope(Type.Array(MonitoredWallet, { description: 'Newest first.' }), 'The operational wallets.'),
        },
      },
    },
    async (request, reply) => {
      const { organizationId } = request.credential
      const { wallets, total } = await listOperationalWallets(parts, organizationId, pageWindowOf(request.query))
      totalCount(reply, total)
      return ok(wallets.map(presentOperationalWallet))
    },
  )

  app.put(
    '/api/core/wallets/monitored/:id/buffer-settings',
    {
      config: { ...byAdmins, audit: { details: ['data.enableYield', 'data.bufferAmount'] } },
      schema: {
        tags,
        operationId: 'changeBufferSettings',
        summary: 'Change the buffer or the switch',
        description:
          'At least one of the two; what is left out stays. Triggers rebalancing: a lower buffer deploys what it frees, a higher one brings back what it needs. Switched off, nothing more is deployed by itself, and what is deployed stays. Error: WALLET_NOT_FOUND.',
        params: idParams('Operational wallet id.'),
        body: Type.Object({ enableYield: Type.Optional(enableYield), bufferAmount: Type.Optional(bufferText) }),
        response: { 200: envelope(BufferSettings, 'The settings as changed.') },
      },
    },
    async (request, reply) => {
      const { enableYield, bufferAmount } = request.body
      if (enableYield === undefined && bufferAmount === undefined) {
        throw validationError('bufferAmount', 'either enableYield or bufferAmount is required')
      }
      const { organizationId } = request.credential
      const input = { organizationId, opWalletId: request.params.id, enableYield, bufferAmount }
      return runVerb(reply, 200, presentChanged, (transact) => updateOperationalWallet(parts, input, transact))
    },
  )
}

/** Metadata is kept and returned whole, so its size has a limit. Error: VALIDATION_ERROR. */
function requireMetadataSize(given: unknown): void {
  if (given == null || Buffer.byteLength(JSON.stringify(given)) <= METADATA_BYTES_MAX) return
  throw validationError('metadata', `must be at most ${METADATA_BYTES_MAX} bytes of JSON`)
}
