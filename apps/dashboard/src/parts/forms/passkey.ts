import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'
import { ApiError } from '../../api/client.ts'
import type { Schema } from '../../api/types.ts'

/** Asks the browser for a passkey. The library loads only now: most sessions never need it. */
export async function passkeyAssertion(options: Schema<'PasskeyRequest'>): Promise<Schema<'PasskeyAssertion'>> {
  const { startAuthentication } = await import('@simplewebauthn/browser')
  const optionsJSON = options as PublicKeyCredentialRequestOptionsJSON
  return (await startAuthentication({ optionsJSON })) as Schema<'PasskeyAssertion'>
}

export async function passkeyAttestation(options: Schema<'PasskeyCreation'>): Promise<Schema<'PasskeyAttestation'>> {
  const { startRegistration } = await import('@simplewebauthn/browser')
  const optionsJSON = options as PublicKeyCredentialCreationOptionsJSON
  return (await startRegistration({ optionsJSON })) as Schema<'PasskeyAttestation'>
}

/** Why a passkey was not made or used, in a sentence. */
export function passkeyProblem(error: unknown): string {
  if (error instanceof ApiError) return error.message
  const name = error instanceof Error ? error.name : ''
  if (name === 'InvalidStateError') return 'This device already has a passkey of yours.'
  if (name === 'SecurityError' || /^[\d.]+$/.test(location.hostname))
    return 'Passkeys do not work at this address. Open Weir by its domain, or at localhost.'
  return 'The passkey was not used.'
}
