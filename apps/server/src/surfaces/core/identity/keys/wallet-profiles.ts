import Type from 'typebox'
import { BLOCKCHAINS } from '../../../../chains/index.ts'
import {
  createProfile,
  deleteProfile,
  getProfile,
  type IdentityParts,
  listProfiles,
  updateProfile,
  type WalletProfile,
} from '../../../../identity/index.ts'
import { NAME_LENGTH_MAX, OPERATION_TIMEOUT_SECONDS } from '../../../../kernel/index.ts'
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
  userCredentialOf,
} from '../../../http/index.ts'
import { byAdmins, byEveryoneAndServiceAccounts } from '../../access.ts'
import { Deleted, dateTime, presentDeleted } from '../../schemas.ts'

const { min, default: usual, max } = OPERATION_TIMEOUT_SECONDS

const name = Type.String({ minLength: 1, maxLength: NAME_LENGTH_MAX, description: 'Name of the profile.' })
const chains = Type.Array(Type.Enum([...BLOCKCHAINS]), {
  minItems: 1,
  maxItems: BLOCKCHAINS.length,
  description: 'Blockchains on which wallets can be registered and operations planned.',
})
const timeout = Type.Integer({
  minimum: min,
  maximum: max,
  description: `How long an unsigned plan stays valid, in seconds, ${min} to ${max}.`,
})

const WalletProfileData = Type.Object(
  {
    id: id('Wallet profile id.'),
    name,
    enabledChains: chains,
    operationTimeoutSeconds: timeout,
    isDefault: Type.Boolean({ description: 'Whether it is the `default` profile, which cannot be deleted.' }),
    createdAt: dateTime('When the profile was created.'),
  },
  { $id: 'WalletProfile', description: 'A group of wallets with its own keys, blockchains and signing window.' },
)

const presentProfile = (profile: WalletProfile) => ({
  id: profile.id,
  name: profile.name,
  enabledChains: [...profile.enabledChains],
  operationTimeoutSeconds: profile.operationTimeoutSeconds,
  isDefault: profile.isDefault,
  createdAt: profile.createdAt.toISOString(),
})

const tags = ['Wallet profiles']

/** Wallet profiles: `/api/core/wallet-profiles` (contract 3). */
export function walletProfileRoutes(app: App, parts: IdentityParts): void {
  app.get(
    '/api/core/wallet-profiles',
    {
      config: byEveryoneAndServiceAccounts,
      schema: {
        tags,
        operationId: 'listWalletProfiles',
        summary: 'List wallet profiles',
        description: 'Newest first; all by default, or `limit` at a time. `X-Total-Count` holds the total.',
        querystring: Type.Object({ ...optionalPageQuery }),
        response: { 200: envelope(Type.Array(WalletProfileData), 'The wallet profiles.') },
      },
    },
    async (request, reply) => {
      const { items, total } = await listProfiles(parts, request.credential.organizationId, pageWindowOf(request.query))
      totalCount(reply, total)
      return ok(items.map(presentProfile))
    },
  )

  app.post(
    '/api/core/wallet-profiles',
    {
      config: { ...byAdmins, idempotent: 'plain' },
      schema: {
        tags,
        operationId: 'createWalletProfile',
        summary: 'Create a wallet profile',
        description: `Without \`enabledChains\` every blockchain is enabled; without \`operationTimeoutSeconds\` plans stay valid for ${usual} seconds.`,
        body: Type.Object({
          name,
          enabledChains: Type.Optional(chains),
          operationTimeoutSeconds: Type.Optional(timeout),
        }),
        response: { 201: envelope(WalletProfileData, 'The new wallet profile.') },
      },
    },
    async (request, reply) => {
      const present = (profile: WalletProfile) => ok(presentProfile(profile))
      const { organizationId } = userCredentialOf(request)
      return runVerb(reply, 201, present, (transact) => createProfile(parts, organizationId, request.body, transact))
    },
  )

  app.get(
    '/api/core/wallet-profiles/:id',
    {
      config: byEveryoneAndServiceAccounts,
      schema: {
        tags,
        operationId: 'getWalletProfile',
        summary: 'Get a wallet profile',
        description: 'Unknown profile: 404 NOT_FOUND.',
        params: idParams('Wallet profile id.'),
        response: { 200: envelope(WalletProfileData, 'The wallet profile.') },
      },
    },
    async (request) =>
      ok(presentProfile(await getProfile(parts, request.credential.organizationId, request.params.id))),
  )

  app.patch(
    '/api/core/wallet-profiles/:id',
    {
      config: byAdmins,
      schema: {
        tags,
        operationId: 'changeWalletProfile',
        summary: 'Change a wallet profile',
        description:
          'Omitted fields keep their values. Changes apply to wallets registered and operations planned from now on.',
        params: idParams('Wallet profile id.'),
        body: Type.Object({
          name: Type.Optional(name),
          enabledChains: Type.Optional(chains),
          operationTimeoutSeconds: Type.Optional(timeout),
        }),
        response: { 200: envelope(WalletProfileData, 'The updated wallet profile.') },
      },
    },
    async (request, reply) => {
      const { organizationId } = userCredentialOf(request)
      const present = (profile: WalletProfile) => ok(presentProfile(profile))
      return runVerb(reply, 200, present, (transact) =>
        updateProfile(parts, { organizationId, profileId: request.params.id, fields: request.body }, transact),
      )
    },
  )

  app.delete(
    '/api/core/wallet-profiles/:id',
    {
      config: byAdmins,
      schema: {
        tags,
        operationId: 'deleteWalletProfile',
        summary: 'Delete a wallet profile',
        description:
          'Revokes the API keys of the profile as well. Returns 409 CONFLICT for the default profile and for a profile that still has wallets.',
        params: idParams('Wallet profile id.'),
        response: { 200: envelope(Deleted, 'The wallet profile was deleted.') },
      },
    },
    async (request, reply) => {
      const { organizationId } = userCredentialOf(request)
      return runVerb(reply, 200, presentDeleted, (transact) =>
        deleteProfile(parts, organizationId, request.params.id, transact),
      )
    },
  )
}
