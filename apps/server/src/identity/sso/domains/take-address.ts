import type { Tx } from '../../../database/index.ts'
import { releaseAddress } from '../../addresses/release-address.ts'
import { notifyAccount } from '../../mail/notify-account.ts'
import type { IdentityParts } from '../../shared/parts.ts'

/** What tells the owner of an address about it. */
export type NoticeParts = Pick<IdentityParts, 'log' | 'secrets' | 'mail'>

/**
 * Frees an address for a member of the organization that proved its domain (ADR 109): an address that nobody proved is
 * only a claim (ADR 107), and the domain decides who owns it. The caller has checked the domain, and that no member of the
 * organization itself has the address. An email to the address names the account that lost it, which may be the same
 * person's. CONFLICT (`address_in_use`, `address_unproved`) like {@link releaseAddress}.
 */
export async function takeAddressOfDomain(
  tx: Tx,
  parts: NoticeParts & Pick<IdentityParts, 'clock'>,
  named: { readonly email: string; readonly takeAddress: boolean },
): Promise<void> {
  const released = await releaseAddress(tx, parts, named)
  if (released === undefined) return
  const { organizationId, loginName: to } = released
  await notifyAccount(tx, parts, {
    organizationId,
    email: named.email,
    change: { what: 'address_released', to },
  })
}
