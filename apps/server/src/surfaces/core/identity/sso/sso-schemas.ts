import Type from 'typebox'
import { ownCallbackUrl, type SsoDomain, type SsoProvider } from '../../../../identity/index.ts'
import {
  DOMAIN_LENGTH_MAX,
  NAME_LENGTH_MAX,
  SSO_CLAIM_NAME_LENGTH_MAX,
  SSO_CLIENT_TEXT_LENGTH_MAX,
  SSO_DOMAINS_MAX,
  SSO_ISSUER_LENGTH_MAX,
  SSO_ROLE_MAPPINGS_MAX,
  SSO_SCOPE_LENGTH_MAX,
  SSO_SCOPES_MAX,
} from '../../../../kernel/index.ts'
import { id } from '../../../http/index.ts'
import { orNull } from '../../formats.ts'
import { dateTime, RoleName } from '../../schemas.ts'

const claimName = (description: string) =>
  Type.String({ minLength: 1, maxLength: SSO_CLAIM_NAME_LENGTH_MAX, description })
const clientText = (description: string) =>
  Type.String({ minLength: 1, maxLength: SSO_CLIENT_TEXT_LENGTH_MAX, pattern: '^[\\x21-\\x7e]+$', description })

const RoleMappingData = Type.Object(
  {
    value: Type.String({
      minLength: 1,
      maxLength: SSO_CLAIM_NAME_LENGTH_MAX,
      description: 'A value of the role claim, compared exactly.',
    }),
    role: RoleName,
  },
  { $id: 'SsoRoleMapping', description: 'A value of the role claim and the role that it gives.' },
)
const DefaultRole = Type.Enum(['admin', 'approver', 'viewer'], { description: 'A role other than owner.' })

/** The fields of a provider that a request may name and a response shows. */
const shared = {
  name: Type.String({ minLength: 1, maxLength: NAME_LENGTH_MAX, description: 'Descriptive label.' }),
  clientId: clientText('The client id that the provider issued.'),
  scopes: Type.Array(
    Type.String({ minLength: 1, maxLength: SSO_SCOPE_LENGTH_MAX, pattern: '^[\\x21\\x23-\\x5b\\x5d-\\x7e]+$' }),
    {
      minItems: 1,
      maxItems: SSO_SCOPES_MAX,
      description: 'The scopes to request; `openid` must be one of them. Default: `openid`, `email`, `profile`.',
    },
  ),
  verifiedEmailClaim: claimName(
    'The claim that says whether the email address is verified. Default: `email_verified`; on Entra ID `xms_edov`.',
  ),
  roleClaim: orNull(
    claimName('A claim.'),
    'The claim that gives roles, such as `groups`; a text or a list. A dot leads one level down if no claim has the whole name. null: claims give no roles.',
  ),
  roleMappings: Type.Array(RoleMappingData, {
    maxItems: SSO_ROLE_MAPPINGS_MAX,
    description: 'Roles by value of the role claim. If several values match, the highest role counts.',
  }),
  defaultRole: orNull(
    DefaultRole,
    'The role of people whom no mapping matches. null: they are refused. Without a role claim: the role of new members; null: nobody becomes a member by signing in.',
  ),
  allowOwner: Type.Boolean({
    description:
      'Whether a mapping may give the role owner, and a sign-in take it away. If false, no owner signs in here: they are refused with 403 FORBIDDEN, `details.reason` `owner_not_allowed`, and keep their passwords even where `enforced`. Default: false.',
  }),
  enforced: Type.Boolean({
    description:
      'Whether members with an address in `domains` must sign in here: their passwords are refused with 403 FORBIDDEN, `details.reason` `sso_required`. Default: false.',
  }),
  breakGlassMemberId: orNull(
    id('User id.'),
    'An owner who may still sign in with a password. null: nobody, unless `allowOwner` is false: then every owner may. The operator of the host can still recover an owner.',
  ),
  domains: Type.Array(Type.String({ minLength: 1, maxLength: DOMAIN_LENGTH_MAX }), {
    maxItems: SSO_DOMAINS_MAX,
    description: 'Proved domains of the organization whose members sign in here. A domain has one provider.',
  }),
}

export const clientSecret = clientText('The client secret that the provider issued. Stored encrypted, never returned.')
export const issuerUrl = Type.String({
  minLength: 1,
  maxLength: SSO_ISSUER_LENGTH_MAX,
  description:
    'The issuer, exactly as its discovery document names it; https, in sandbox also http. Cannot be changed.',
})

const { name, clientId, ...defaulted } = shared
export const PROVIDER_FIELDS = {
  required: { name, clientId },
  optional: Object.fromEntries(Object.entries(defaulted).map(([key, schema]) => [key, Type.Optional(schema)])) as {
    [Key in keyof typeof defaulted]: ReturnType<typeof Type.Optional<(typeof defaulted)[Key]>>
  },
}

export const SsoProviderData = Type.Object(
  {
    id: id('Identity provider id.'),
    issuer: Type.String({ description: 'The issuer.' }),
    ...shared,
    callbackUrl: Type.String({
      description:
        'The redirect URI to register at the provider; each provider has its own. Leave `PUBLIC_URL/api/core/auth/sso/callback` registered as well at one that was added before 0.4.0.',
    }),
    createdAt: dateTime('When the provider was added.'),
    updatedAt: dateTime('When the provider was last changed.'),
  },
  { $id: 'SsoProvider', description: 'An identity provider without its secret.' },
)

export const SsoDomainData = Type.Object(
  {
    id: id('Domain id.'),
    domain: Type.String({ description: 'The domain in ASCII, lower case.' }),
    recordName: Type.String({ description: 'Name of the TXT record that proves the domain.' }),
    recordValue: Type.String({ description: 'Content of the TXT record.' }),
    verifiedAt: orNull(dateTime('When the domain was proved.'), 'When the domain was proved; null: not yet.'),
    providerId: orNull(id('Identity provider id.'), 'The provider that has the domain; null: none.'),
    createdAt: dateTime('When the domain was claimed.'),
  },
  { $id: 'SsoDomain', description: 'A domain that the organization claims.' },
)

export const presentProvider = (provider: SsoProvider, callbackUrl: string) => ({
  id: provider.id,
  issuer: provider.issuer,
  name: provider.name,
  clientId: provider.clientId,
  scopes: [...provider.scopes],
  verifiedEmailClaim: provider.verifiedEmailClaim,
  roleClaim: provider.roleClaim,
  roleMappings: provider.roleMappings.map(({ value, role }) => ({ value, role })),
  defaultRole: provider.defaultRole,
  allowOwner: provider.allowOwner,
  enforced: provider.enforced,
  breakGlassMemberId: provider.breakGlassMemberId,
  domains: [...provider.domains],
  callbackUrl: ownCallbackUrl({ callbackUrl }, provider.id),
  createdAt: provider.createdAt.toISOString(),
  updatedAt: provider.updatedAt.toISOString(),
})

export const presentDomain = (domain: SsoDomain) => ({
  id: domain.id,
  domain: domain.domain,
  recordName: domain.recordName,
  recordValue: domain.recordValue,
  verifiedAt: domain.verifiedAt?.toISOString() ?? null,
  providerId: domain.providerId,
  createdAt: domain.createdAt.toISOString(),
})
