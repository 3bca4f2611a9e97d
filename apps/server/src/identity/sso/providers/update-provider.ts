import { type Transact, transactOn } from '../../../database/index.ts'
import type { UserCredential } from '../../shared/credential.ts'
import { lockOrganization } from '../../shared/lock-organization.ts'
import { validateName } from '../../shared/validate-text.ts'
import type { SsoParts } from '../parts.ts'
import { columnsOf } from './create-provider.ts'
import { providerFrom, readProvider, type SsoProvider, secretLabel } from './provider.ts'
import {
  assignDomains,
  type GivenFields,
  requireOwnerForBreakGlass,
  validateProviderFields,
  withGiven,
} from './provider-fields.ts'

/** Omitted fields are unchanged. */
export interface SsoProviderChanges extends GivenFields {
  readonly clientSecret?: string | undefined
}

/**
 * Changes an identity provider; sign-ins under way end under the new rules. Enforcing it ends no open session.
 * NOT_FOUND, VALIDATION_ERROR for a malformed field.
 */
export async function updateProvider(
  parts: Pick<SsoParts, 'db' | 'clock' | 'sso'>,
  {
    actor,
    providerId,
    changes,
  }: { readonly actor: UserCredential; readonly providerId: number; readonly changes: SsoProviderChanges },
  transact: Transact<SsoProvider> = transactOn(parts.db),
): Promise<SsoProvider> {
  return await transact(async (tx) => {
    const { organizationId } = actor
    await lockOrganization(tx, organizationId)
    const ref = { organizationId, providerId }
    const { provider } = await readProvider(tx, ref)
    const named = withGiven(provider, changes)
    const fields = { ...named, name: validateName('name', named.name) }
    validateProviderFields(fields)
    // An owner who was named and lost the role since then may stay named; they are not exempt.
    if (changes.breakGlassMemberId !== undefined)
      await requireOwnerForBreakGlass(tx, organizationId, fields.breakGlassMemberId)
    const { sealer } = parts.sso
    const row = await tx
      .updateTable('sso_providers')
      .set({
        ...columnsOf(fields, parts.clock.now()),
        ...(changes.clientSecret === undefined
          ? {}
          : { client_secret: sealer.seal(changes.clientSecret, secretLabel(organizationId, providerId)) }),
      })
      .where('organization_id', '=', organizationId)
      .where('id', '=', providerId)
      .returningAll()
      .executeTakeFirstOrThrow()
    const domains = changes.domains === undefined ? provider.domains : await assignDomains(tx, ref, changes.domains)
    return providerFrom(row, domains)
  })
}
