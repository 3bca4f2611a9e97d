import Type from 'typebox'
import { ADDRESS_FORM, BLOCKCHAINS } from '../../../chains/index.ts'
import { actorOf, scopeOf } from '../../../identity/index.ts'
import { WALLET_LABEL_LENGTH_MAX } from '../../../kernel/index.ts'
import {
  getWallet,
  labelWallet,
  listWallets,
  operationalTokensOf,
  registerWallet,
  type Wallet,
  type WalletParts,
  type WalletRegistration,
} from '../../../wallets/index.ts'
import {
  type App,
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
import { optionalEnumValueOf } from '../formats.ts'
import { CreatedBy, dateTime } from '../schemas.ts'
import { labelOf, walletLabel, walletText } from '../wallet-names.ts'

/** Default custody provider of a wallet (contract 1). */
const OWN_CUSTODY = 'self'

const label = Type.String({ minLength: 1, maxLength: WALLET_LABEL_LENGTH_MAX, description: 'Label of the wallet.' })
const custodyProvider = Type.String({
  minLength: 1,
  maxLength: WALLET_LABEL_LENGTH_MAX,
  description: 'Who holds the keys of the wallet; your own term, which approval rules can refer to.',
  examples: ['aws-kms'],
})
const blockchain = Type.Enum([...BLOCKCHAINS], { description: 'Blockchain, lower case.' })

const OrgWallet = Type.Object(
  {
    id: id('Wallet id; equal to `walletId` on the v1 surface.'),
    address: Type.String({ description: 'Checksummed on EVM chains, base58 on Solana.' }),
    blockchain,
    label: walletLabel,
    custodyProvider: Type.String({ description: 'Who holds the keys of the wallet; `self` by default.' }),
    createdAt: dateTime('When the wallet was imported or registered.'),
    createdBy: Type.Optional(CreatedBy),
    opWallets: Type.Optional(
      Type.Array(
        Type.Object({
          opWalletId: id('Operational wallet id.'),
          managedWalletId: id('Alias of opWalletId.'),
          token: Type.String({ description: 'Token symbol; its address if the chain is no longer configured.' }),
        }),
        { description: 'The tokens that the wallet is operational for. Absent from the response to an import.' },
      ),
    ),
  },
  { $id: 'OrgWallet', description: "One of the organization's wallets." },
)

const LabelledWallet = Type.Object(
  {
    id: id('Wallet id.'),
    label: Type.String({ description: 'The new label.' }),
    updatedAt: dateTime('When the label was changed.'),
  },
  { $id: 'LabelledWallet', description: 'A wallet with its new label.' },
)

const presentWallet = (wallet: Wallet) => ({
  id: wallet.walletId,
  address: wallet.address,
  blockchain: wallet.blockchain as (typeof blockchain)['enum'][number],
  label: labelOf(wallet),
  custodyProvider: wallet.custodyProvider ?? OWN_CUSTODY,
  createdAt: wallet.createdAt.toISOString(),
  createdBy: wallet.createdBy,
})

/** The wallets with the tokens that each is operational for. */
async function withOperationalTokens(parts: WalletParts, organizationId: number, wallets: readonly Wallet[]) {
  const ids = wallets.map(({ walletId }) => walletId)
  const byWallet = Map.groupBy(await operationalTokensOf(parts.db, organizationId, ids), ({ walletId }) => walletId)
  return wallets.map((wallet) => ({
    ...presentWallet(wallet),
    opWallets: (byWallet.get(wallet.walletId) ?? []).map(({ opWalletId, tokenAddress }) => ({
      opWalletId,
      managedWalletId: opWalletId,
      token: symbolOf(parts, wallet.blockchain, tokenAddress),
    })),
  }))
}

/** The symbol of a token; its address where its chain is no longer configured. */
function symbolOf({ chains }: WalletParts, blockchain: string, tokenAddress: string): string {
  const tokens = chains.get(blockchain)?.network.tokens ?? []
  return tokens.find(({ address }) => address === tokenAddress)?.symbol ?? tokenAddress
}

const tags = ['Organization wallets']

/** Organization wallets: import, list, label (spec 4.2, contract 1 and 7). */
export function orgWalletRoutes(app: App, parts: WalletParts): void {
  app.post(
    '/api/core/org-wallets',
    {
      config: { ...byAdminsAndServiceAccounts, idempotent: 'plain' },
      schema: {
        tags,
        operationId: 'importOrgWallet',
        summary: 'Import a wallet',
        description:
          'Registers the wallet in the default profile; from now on Weir reads its balances from the chain. If the organization already has the address, in any wallet profile, the existing wallet is returned unchanged with status 200. Errors: INVALID_ADDRESS; FORBIDDEN if the default profile does not allow the blockchain.',
        body: Type.Object({
          address: Type.String({ description: `Address of the wallet: ${ADDRESS_FORM}` }),
          blockchain,
          label: Type.Optional(label),
          custodyProvider: Type.Optional(custodyProvider),
        }),
        response: {
          200: envelope(OrgWallet, 'The wallet already existed.'),
          201: envelope(OrgWallet, 'The wallet was imported.'),
        },
      },
    },
    async (request, reply) => {
      const { address, blockchain, ...imported } = request.body
      const statusOf = ({ created }: WalletRegistration) => (created ? 201 : 200)
      const present = ({ wallet }: WalletRegistration) => ok(presentWallet(wallet))
      const { credential } = request
      const createdBy = actorOf(credential)
      const input = { scope: scopeOf(credential), walletAddress: address, blockchain, imported, createdBy }
      return runVerb(reply, statusOf, present, (transact) => registerWallet(parts, input, transact))
    },
  )

  app.get(
    '/api/core/wallets',
    {
      config: byEveryoneAndKeys,
      schema: {
        tags,
        operationId: 'listOrgWallets',
        summary: 'List the wallets of the organization',
        description:
          'Wallets of all wallet profiles, newest first; all by default, or `limit` at a time. `X-Total-Count` holds the total that matches.',
        querystring: Type.Object({
          blockchain: Type.Optional(enumQuery(BLOCKCHAINS, 'Only wallets on this blockchain, case-insensitive.')),
          q: Type.Optional(walletText),
          ...optionalPageQuery,
          ...beforeQuery,
        }),
        response: { 200: envelope(Type.Array(OrgWallet, { description: 'Newest first.' }), 'The wallets.') },
      },
    },
    async (request, reply) => {
      const { blockchain: wanted, q: text, before } = request.query
      const filter = { text, blockchain: optionalEnumValueOf('blockchain', wanted, BLOCKCHAINS) }
      const page = { ...pageWindowOf(request.query), before }
      const { wallets, total } = await listWallets(parts, scopeOf(request.credential), filter, page)
      totalCount(reply, total)
      return ok(await withOperationalTokens(parts, request.credential.organizationId, wallets))
    },
  )

  app.get(
    '/api/core/wallets/:id',
    {
      config: byEveryoneAndKeys,
      schema: {
        tags,
        operationId: 'getOrgWallet',
        summary: 'Get a wallet of the organization',
        description: 'Error: WALLET_NOT_FOUND.',
        params: idParams('Wallet id.'),
        response: { 200: envelope(OrgWallet, 'The wallet.') },
      },
    },
    async ({ credential, params }) => {
      const { wallet } = await getWallet(parts, scopeOf(credential), params.id)
      const [presented] = await withOperationalTokens(parts, credential.organizationId, [wallet])
      return ok(presented!)
    },
  )

  app.put(
    '/api/core/wallets/:id',
    {
      config: { ...byAdminsAndServiceAccounts, audit: { object: 'wallet', details: ['data.label'] } },
      schema: {
        tags,
        operationId: 'labelOrgWallet',
        summary: 'Label a wallet',
        description: 'Error: WALLET_NOT_FOUND.',
        params: idParams('Wallet id.'),
        body: Type.Object({ label }),
        response: { 200: envelope(LabelledWallet, 'The wallet was labelled.') },
      },
    },
    async (request, reply) => {
      const updatedAt = parts.clock.now().toISOString()
      const present = (wallet: Wallet) => ok({ id: wallet.walletId, label: wallet.label ?? '', updatedAt })
      const input = {
        organizationId: request.credential.organizationId,
        walletId: request.params.id,
        label: request.body.label,
      }
      return runVerb(reply, 200, present, (transact) => labelWallet(parts, input, transact))
    },
  )
}
