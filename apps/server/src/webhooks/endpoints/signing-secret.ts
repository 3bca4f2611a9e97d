import type { RandomSource, Sealer } from '../../kernel/index.ts'

/** What a webhook's row needs for its secret to be opened. */
interface SecretOwner {
  readonly organizationId: number
  readonly webhookId: number
}

const PREFIX = 'whsec_'
/** Between the 24 and 64 bytes of Standard Webhooks. */
const BYTES = 32

/** A new secret as the receiver needs it: `whsec_` and base64. */
export function generateSigningSecret(random: RandomSource): string {
  return PREFIX + Buffer.from(random(BYTES)).toString('base64')
}

export function sealSigningSecret(sealer: Sealer, secret: string, owner: SecretOwner): Buffer {
  return sealer.seal(secret, labelOf(owner))
}

export function openSigningSecret(sealer: Sealer, sealed: Uint8Array, owner: SecretOwner): string {
  return sealer.open(sealed, labelOf(owner))
}

function labelOf({ organizationId, webhookId }: SecretOwner): string {
  return `webhook ${organizationId}/${webhookId}`
}
