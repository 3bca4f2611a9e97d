import { createHash, createVerify } from 'node:crypto'
import { BRIDGE_MESSAGE_AGE_MS_MAX, type Clock, Failure } from '../../kernel/index.ts'
import type { InboundMessage } from '../provider/port.ts'

const HEADER = 'x-webhook-signature'

export interface SignatureParts {
  readonly clock: Clock
  /** PEM; issued by the partner for our endpoint. */
  readonly webhookPublicKey: string
}

/**
 * Verifies that a message is recent and signed by the partner. `t=<milliseconds>,v0=<base64>` is an RSA signature with
 * SHA-256 over the SHA-256 digest of `<milliseconds>.<body>`: hashed twice. Error: UNAUTHORIZED.
 */
export function verifySignature({ clock, webhookPublicKey }: SignatureParts, { headers, body }: InboundMessage): void {
  const [, at = '', signature = ''] =
    /^t=([0-9]{1,15}),v0=([A-Za-z0-9+/]{1,2048}={0,2})$/.exec(`${headers[HEADER]}`) ?? []
  const isFresh = at !== '' && Math.abs(clock.now().getTime() - Number(at)) <= BRIDGE_MESSAGE_AGE_MS_MAX
  const digest = createHash('sha256').update(`${at}.`).update(body).digest()
  const isSigned =
    signature !== '' && createVerify('sha256').update(digest).verify(webhookPublicKey, Buffer.from(signature, 'base64'))
  if (isFresh && isSigned) return
  throw new Failure('UNAUTHORIZED', { message: 'The message is not signed by the banking partner.' })
}
