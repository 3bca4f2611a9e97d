import { verifyAuthenticationResponse } from '@simplewebauthn/server'
import type { Approvers } from './approvers.ts'

/** Longer than any authenticator's. */
const LONGEST_FIELD = 8_192

/**
 * The person of the agent's list who made this assertion, or why it counts for nobody: WebAuthn Level 2, section 7.2,
 * with user presence and user verification. Signature counters are not compared: passkeys that are synchronized between
 * devices have none, and the challenge binds one operation.
 */
export async function verifyAssertion(
  approvers: Approvers,
  challenge: string,
  sent: unknown,
): Promise<{ readonly name: string } | { readonly reason: string }> {
  const fields = assertionOf(sent)
  if (fields === undefined) return { reason: 'a signature has an unknown form' }
  const { credentialId } = fields
  const found = approvers.approvers.flatMap(({ name, passkeys }) =>
    passkeys.filter((key) => key.credentialId === credentialId).map(({ publicKey }) => ({ name, publicKey })),
  )[0]
  if (found === undefined) return { reason: `the passkey ${credentialId.slice(0, 20)} is not on the agent's list` }
  const { authenticatorData, clientDataJSON, signature } = fields
  try {
    const { verified } = await verifyAuthenticationResponse({
      response: {
        id: credentialId,
        rawId: credentialId,
        type: 'public-key',
        clientExtensionResults: {},
        response: { authenticatorData, clientDataJSON, signature },
      },
      expectedChallenge: challenge,
      expectedOrigin: [...approvers.origins],
      expectedRPID: approvers.relyingPartyId,
      credential: { id: credentialId, publicKey: found.publicKey, counter: 0 },
      requireUserVerification: true,
    })
    return verified ? { name: found.name } : { reason: `the signature of ${found.name} is wrong` }
  } catch (error) {
    return { reason: `the signature of ${found.name} does not count: ${(error as Error).message.slice(0, 200)}` }
  }
}

const FIELDS = ['credentialId', 'authenticatorData', 'clientDataJSON', 'signature'] as const

function assertionOf(sent: unknown): Readonly<Record<(typeof FIELDS)[number], string>> | undefined {
  if (typeof sent !== 'object' || sent === null) return undefined
  const one = sent as Record<string, unknown>
  const isBase64url = (field: string) => {
    const value = one[field]
    return typeof value === 'string' && value.length <= LONGEST_FIELD && /^[A-Za-z0-9_-]+$/.test(value)
  }
  return FIELDS.every(isBase64url) ? (one as Record<(typeof FIELDS)[number], string>) : undefined
}
