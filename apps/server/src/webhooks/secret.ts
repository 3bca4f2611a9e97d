import type { Random, Sealer } from '../kernel/index.ts'

/** What a webhook's row needs for its secret to be opened. */
interface Owner {
  readonly organizationId: number
  readonly webhookId: number
}

const PREFIX = 'whsec_'
/** Between the 24 and 64 bytes of Standard Webhooks. */
const BYTES = 32

/** A new secret as the receiver needs it: `whsec_` and base64. */
export function newSecret(random: Random): string {
  return PREFIX + Buffer.from(random(BYTES)).toString('base64')
}

export function sealSecret(sealer: Sealer, secret: string, owner: Owner): Buffer {
  return sealer.seal(secret, labelOf(owner))
}

export function openSecret(sealer: Sealer, sealed: Uint8Array, owner: Owner): string {
  return sealer.open(sealed, labelOf(owner))
}

function labelOf({ organizationId, webhookId }: Owner): string {
  return `webhook ${organizationId}/${webhookId}`
}
