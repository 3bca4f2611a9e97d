import Type from 'typebox'
import { ADDRESS_FORM, BLOCKCHAINS } from '../../../chains/index.ts'
import { scopeOf } from '../../../identity/index.ts'
import {
  labelWallet,
  listWallets,
  registerWallet,
  type Wallet,
  type WalletParts,
  type WalletRegistration,
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
import { dateTime } from '../schemas.ts'

/** Contract 7. */
const LABEL_LENGTH_MAX = 100
/** Whoever signs for a wallet, when nothing else was said (contract 1). */
const OWN_CUSTODY = 'self'

const label = Type.String({ minLength: 1, maxLength: LABEL_LENGTH_MAX, description: 'How the wallet is called.' })
const custodyProvider = Type.String({
  minLength: 1,
  maxLength: LABEL_LENGTH_MAX,
  description: 'Who keeps its keys; a word of your own, that approval rules may name.',
  examples: ['aws-kms'],
})
const blockchain = Type.Enum([...BLOCKCHAINS], { description: 'Blockchain, lower case.' })

const OrgWallet = Type.Object(
  {
    id: id('Wallet id: the same number is the `walletId` of the v1 surface.'),
    address: Type.String({ description: 'Checksummed on EVM chains, base58 on Solana.' }),
    blockchain,
    label: Type.String({ description: 'How the wallet is called; its shortened address until it was named.' }),
    custodyProvider: Type.String({ description: '`self` unless the import said something else.' }),
    createdAt: dateTime('When the wallet was imported or registered.'),
  },
  { $id: 'OrgWallet', description: "One of the organization's wallets." },
)

const LabelledWallet = Type.Object(
  {
    id: id('Wallet id.'),
    label: Type.String({ description: 'Its new label.' }),
    updatedAt: dateTime('When it was changed.'),
  },
  { $id: 'LabelledWallet', description: 'A wallet with its new label.' },
)

const presentWallet = (wallet: Wallet) => ({
  id: wallet.walletId,
  address: wallet.address,
  blockchain: wallet.blockchain as (typeof blockchain)['enum'][number],
  label: wallet.label ?? shortened(wallet.address),
  custodyProvider: wallet.custodyProvider ?? OWN_CUSTODY,
  createdAt: wallet.createdAt.toISOString(),
})

/** `0x12ab…cd34`. */
function shortened(address: string): string {
  return `${address.slice(0, 6)}…${address.slice(-4)}`
}

const tags = ['Organization wallets']

/** Organization wallets: import, list, label (spec 4.2, contract 1 and 7). */
export function orgWalletRoutes(app: App, parts: WalletParts): void {
  app.post(
    '/api/core/org-wallets',
    {
      config: { ...byAdmins, idempotent: 'plain' },
      schema: {
        tags,
        operationId: 'importOrgWallet',
        summary: 'Import a wallet',
        description:
          'Its balances are read from the chain from now on. An address that the organization has already, in any wallet profile, is returned with 200, unchanged; a new one belongs to the default profile. Errors: INVALID_ADDRESS; FORBIDDEN when the default profile does not allow the blockchain.',
        body: Type.Object({
          address: Type.String({ description: `Address of the wallet: ${ADDRESS_FORM}` }),
          blockchain,
          label: Type.Optional(label),
          custodyProvider: Type.Optional(custodyProvider),
        }),
        response: {
          200: envelope(OrgWallet, 'The wallet was there already.'),
          201: envelope(OrgWallet, 'The wallet is imported.'),
        },
      },
    },
    async (request, reply) => {
      const { address, blockchain, ...imported } = request.body
      const statusOf = ({ created }: WalletRegistration) => (created ? 201 : 200)
      const present = ({ wallet }: WalletRegistration) => ok(presentWallet(wallet))
      const input = { scope: scopeOf(request.credential), walletAddress: address, blockchain, imported }
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
          'Of every wallet profile, newest first; all of them, unless `limit` is sent. `X-Total-Count` tells how many there are.',
        querystring: Type.Object({ ...optionalPageQuery }),
        response: { 200: envelope(Type.Array(OrgWallet, { description: 'Newest first.' }), 'The wallets.') },
      },
    },
    async (request, reply) => {
      const { wallets, total } = await listWallets(parts, scopeOf(request.credential), {}, pageWindowOf(request.query))
      totalCount(reply, total)
      return ok(wallets.map(presentWallet))
    },
  )

  app.put(
    '/api/core/wallets/:id',
    {
      config: { ...byAdmins, audit: { object: 'wallet', details: ['data.label'] } },
      schema: {
        tags,
        operationId: 'labelOrgWallet',
        summary: 'Label a wallet',
        description: 'Error: WALLET_NOT_FOUND.',
        params: idParams('Wallet id.'),
        body: Type.Object({ label }),
        response: { 200: envelope(LabelledWallet, 'The wallet has its new label.') },
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
