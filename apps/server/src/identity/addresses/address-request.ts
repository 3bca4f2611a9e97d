import type { Transact } from '../../database/index.ts'
import { requireMail } from '../mail/queue-mail.ts'
import type { IdentityParts, MailParts } from '../shared/parts.ts'

/** A registration whose address is not proved yet. Fields are checked and normalized. */
export interface PendingRegistration {
  readonly email: string
  readonly name: string | null
  readonly organizationName: string
  readonly passwordHash: string
  /** A registration invitation, redeemed with the confirmation. */
  readonly invitation: string | null
  /** The network that requested it; absent in requests of the previous version. */
  readonly network?: string | undefined
}

/** What a stranger requests for an address. */
export type AddressRequest =
  | { readonly kind: 'password_reset'; readonly email: string }
  | ({ readonly kind: 'registration' } & PendingRegistration)

export const ADDRESS_REQUEST_LABEL = 'address request'

/**
 * Stores a request about an address for the worker, which looks up the account and answers by mail. The request itself
 * reads nothing, so its response and its time are the same whether or not the address has an account.
 */
export async function storeAddressRequest(
  parts: Pick<IdentityParts, 'clock' | 'mail'>,
  request: AddressRequest,
  transact: Transact<void>,
): Promise<void> {
  const content = requireMail(parts).sealer.seal(JSON.stringify(request), ADDRESS_REQUEST_LABEL)
  await transact(async (tx) => {
    await tx.insertInto('address_requests').values({ content, created_at: parts.clock.now() }).execute()
  })
}

export function openAddressRequest({ sealer }: MailParts, content: Buffer): AddressRequest {
  return JSON.parse(sealer.open(content, ADDRESS_REQUEST_LABEL)) as AddressRequest
}
