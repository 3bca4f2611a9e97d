import { type Transact, transactOn } from '../../../database/index.ts'
import { Failure, SSO_PROVIDERS_MAX } from '../../../kernel/index.ts'
import type { UserCredential } from '../../shared/credential.ts'
import { lockOrganization } from '../../shared/lock-organization.ts'
import { validateName } from '../../shared/validate-text.ts'
import type { SsoParts } from '../parts.ts'
import { providerFrom, type SsoProvider, secretLabel } from './provider.ts'
import {
  assignDomains,
  type GivenFields,
  PROVIDER_DEFAULTS,
  type ProviderFields,
  requireOwnerForBreakGlass,
  validateIssuer,
  validateProviderFields,
  withGiven,
} from './provider-fields.ts'

/** An issuer cannot be changed: accounts are linked by issuer and subject. */
export interface NewSsoProvider extends GivenFields {
  readonly name: string
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
}

/**
 * Adds an identity provider. Nothing is requested from it before the first sign-in. VALIDATION_ERROR for a malformed
 * field, CONFLICT if the organization has too many.
 */
export async function createProvider(
  parts: Pick<SsoParts, 'db' | 'clock' | 'sso'>,
  actor: UserCredential,
  input: NewSsoProvider,
  transact: Transact<SsoProvider> = transactOn(parts.db),
): Promise<SsoProvider> {
  const issuer = validateIssuer(parts.sso, input.issuer)
  const { clientId } = input
  const named = withGiven({ ...PROVIDER_DEFAULTS, name: input.name, clientId }, input)
  const fields = { ...named, name: validateName('name', named.name) }
  validateProviderFields(fields)
  return await transact(async (tx) => {
    const { organizationId } = actor
    await lockOrganization(tx, organizationId)
    const { count } = await tx
      .selectFrom('sso_providers')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('organization_id', '=', organizationId)
      .where('deleted_at', 'is', null)
      .executeTakeFirstOrThrow()
    if (count >= SSO_PROVIDERS_MAX)
      throw new Failure('CONFLICT', {
        message: `An organization can have at most ${SSO_PROVIDERS_MAX} identity providers.`,
      })
    await requireOwnerForBreakGlass(tx, organizationId, fields.breakGlassMemberId)
    const now = parts.clock.now()
    const created = await tx
      .insertInto('sso_providers')
      .values({
        organization_id: organizationId,
        issuer,
        // Sealed below: the label contains the id.
        client_secret: Buffer.alloc(0),
        own_callback: true,
        created_at: now,
        ...columnsOf(fields, now),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const row = await tx
      .updateTable('sso_providers')
      .set({ client_secret: parts.sso.sealer.seal(input.clientSecret, secretLabel(organizationId, created.id)) })
      .where('organization_id', '=', organizationId)
      .where('id', '=', created.id)
      .returningAll()
      .executeTakeFirstOrThrow()
    const domains = await assignDomains(tx, { organizationId, providerId: row.id }, fields.domains)
    return providerFrom(row, domains)
  })
}

/** The columns of the changeable fields. */
export function columnsOf(fields: ProviderFields, at: Date) {
  return {
    name: fields.name,
    client_id: fields.clientId,
    scopes: [...fields.scopes],
    verified_email_claim: fields.verifiedEmailClaim,
    role_claim: fields.roleClaim,
    role_mappings: JSON.stringify(fields.roleMappings),
    default_role: fields.defaultRole,
    allow_owner: fields.allowOwner,
    enforced: fields.enforced,
    break_glass_user_id: fields.breakGlassMemberId,
    updated_at: at,
  }
}
