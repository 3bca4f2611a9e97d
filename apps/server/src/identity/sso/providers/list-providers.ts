import type { SsoParts } from '../parts.ts'
import { providerFrom, type SsoProvider } from './provider.ts'

/** The organization's identity providers, newest first. */
export async function listProviders(
  { db }: Pick<SsoParts, 'db'>,
  organizationId: number,
): Promise<readonly SsoProvider[]> {
  const providers = await db
    .selectFrom('sso_providers')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('deleted_at', 'is', null)
    .orderBy('id', 'desc')
    .execute()
  const domains = await db
    .selectFrom('sso_domains')
    .select(['domain', 'provider_id'])
    .where('organization_id', '=', organizationId)
    .where('provider_id', 'is not', null)
    .execute()
  return providers.map((row) =>
    providerFrom(
      row,
      domains.flatMap(({ domain, provider_id }) => (provider_id === row.id ? [domain] : [])),
    ),
  )
}
