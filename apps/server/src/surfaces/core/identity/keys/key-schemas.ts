import Type from 'typebox'
import {
  type ApiKey,
  type ApiKeyWithSecret,
  type ApiKeyWithUsage,
  KEY_PERMISSIONS,
  type KeyValidity,
} from '../../../../identity/index.ts'
import { id, ok } from '../../../http/index.ts'
import { orNull } from '../../formats.ts'
import { dateTime } from '../../schemas.ts'

/** How API keys are described and presented. */

export const permissionNames = [
  'read',
  'plan',
  'submit',
  'ramp',
  'agent',
] as const satisfies (keyof typeof KEY_PERMISSIONS)[]
export const permission = Type.Enum([...permissionNames], {
  $id: 'KeyPermission',
  description: permissionNames.map((name) => `${name}: ${KEY_PERMISSIONS[name]}.`).join(' '),
})

export const SCOPES = ['organization', 'profile', 'admin'] as const

const keyFields = {
  id: id('Key id.'),
  name: Type.String({ description: 'Descriptive label.' }),
  scope: Type.Enum([...SCOPES], {
    description:
      'organization: agent endpoints, reads on core, and every wallet on v1. profile: the wallets of one profile on v1. admin: read-only access to everything on v1.',
  }),
  walletProfileId: Type.Union([id('Wallet profile id.'), Type.Null()], {
    description: 'The wallet profile of a profile-scoped key; null for other scopes.',
  }),
  keyPreview: Type.String({ description: 'Prefix and last four characters of the key.' }),
  createdAt: dateTime('When the key was generated.'),
  createdBy: orNull(id('User id.'), 'The user who generated the key; null for keys of earlier versions.'),
  permissions: orNull(Type.Array(permission), 'What the key may do; null: everything that its scope allows.'),
  allowedAddresses: orNull(
    Type.Array(Type.String()),
    'Networks in CIDR notation that the key may be used from; null: any.',
  ),
  expiresAt: orNull(dateTime('When the key expires.'), 'When the key expires; null: never.'),
}

export const ApiKeyData = Type.Object(
  {
    ...keyFields,
    lastUsedAt: Type.Union([dateTime('When the key was last used.'), Type.Null()], {
      description: 'When the key was last used, accurate to about a second; null if never.',
    }),
    lastUsedAddress: orNull(
      Type.String({ description: 'Network address.' }),
      'The address that the key was last used from; null if never, or last used before addresses were recorded.',
    ),
  },
  { $id: 'ApiKey', description: 'An API key without its value.' },
)

export const GeneratedApiKey = Type.Object(
  {
    apiKey: Type.Union([Type.String(), Type.Null()], {
      description: 'The key. Returned only once; null in an idempotent replay.',
    }),
    ...keyFields,
  },
  { $id: 'GeneratedApiKey', description: 'A new API key with its value.' },
)

export const Validity = Type.Object(
  {
    valid: Type.Boolean({ description: 'Whether the key works here.' }),
    message: Type.String({ description: 'Human-readable explanation.' }),
    scope: Type.Optional(Type.Enum([...SCOPES], { description: 'Scope of the key. Only if it is valid.' })),
    permissions: Type.Optional(
      Type.Array(permission, {
        description: 'What the key may do: its own permissions, or everything of its scope. Only if it is valid.',
      }),
    ),
  },
  { $id: 'ApiKeyValidity', description: 'Whether an API key is valid.' },
)

const presentKey = (key: ApiKey) => ({
  id: key.id,
  name: key.name,
  scope: key.scope,
  walletProfileId: key.walletProfileId,
  keyPreview: key.keyPreview,
  createdAt: key.createdAt.toISOString(),
  createdBy: key.createdBy,
  permissions: key.permissions === null ? null : [...key.permissions],
  allowedAddresses: key.allowedAddresses === null ? null : [...key.allowedAddresses],
  expiresAt: key.expiresAt?.toISOString() ?? null,
})
export const presentListed = (key: ApiKeyWithUsage) => ({
  ...presentKey(key),
  lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
  lastUsedAddress: key.lastUsedAddress,
})
export const presentGenerated = (key: ApiKeyWithSecret) => ok({ apiKey: key.apiKey, ...presentKey(key) })

export const presentValidity = ({ permissions, refusal: _, ...validity }: KeyValidity) => ({
  ...validity,
  ...(permissions && { permissions: [...permissions] }),
})
