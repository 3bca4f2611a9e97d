import type { RandomSource, Sealer } from '../../kernel/index.ts'

/** Binds a sealed secret to its webhook. */
interface SecretOwner {
  readonly organizationId: number
  readonly webhookId: number
}

const PREFIX = 'whsec_'
/** Standard Webhooks allows 24 to 64 bytes. */
const BYTES = 32

/** Generates a secret in the receiver's format: `whsec_` and base64. */
export function generateSigningSecret(random: RandomSource): string {
  return PREFIX + Buffer.from(random(BYTES)).toString('base64')
}

export function sealSigningSecret(sealer: Sealer, secret: string, owner: SecretOwner): Buffer {
  return sealer.seal(secret, labelOfSigningSecret(owner))
}

export function openSigningSecret(sealer: Sealer, sealed: Uint8Array, owner: SecretOwner): string {
  return sealer.open(sealed, labelOfSigningSecret(owner))
}

export function labelOfSigningSecret({ organizationId, webhookId }: SecretOwner): string {
  return `webhook ${organizationId}/${webhookId}`
}
