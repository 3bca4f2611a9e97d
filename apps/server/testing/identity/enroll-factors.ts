import { TOTP } from 'otpauth'
import {
  addPasskey,
  beginPasskey,
  beginTotp,
  confirmTotp,
  type IdentityParts,
  type UserCredential,
} from '../../src/identity/index.ts'
import { PASSWORD } from './identity-fixture.ts'
import { type SoftwareAuthenticator, softwareAuthenticator } from './software-authenticator.ts'

const address = '192.0.2.1'

/** The code of an authenticator app at a time. */
export function codeAt(secret: string, at: Date): string {
  return new TOTP({ secret }).generate({ timestamp: at.getTime() })
}

/** Enrolls an authenticator app, with the code of this moment. */
export async function enrollTotp(parts: IdentityParts, actor: UserCredential, currentPassword = PASSWORD) {
  const { secret } = await beginTotp(parts, actor, { currentPassword, address })
  const { recoveryCodes, ended } = await confirmTotp(parts, actor, {
    code: codeAt(secret, parts.clock.now()),
    address,
  })
  return { secret, ended, recoveryCodes: recoveryCodes ?? [], code: () => codeAt(secret, parts.clock.now()) }
}

/** Enrolls a passkey. */
export async function enrollPasskey(
  parts: IdentityParts,
  actor: UserCredential,
  authenticator: SoftwareAuthenticator = softwareAuthenticator(),
) {
  const { challenge } = await beginPasskey(parts, actor, { currentPassword: PASSWORD, address })
  const passkey = authenticator.create({ challenge })
  const { id, recoveryCodes } = await addPasskey(parts, actor, { name: 'Laptop', passkey })
  return { id, authenticator, recoveryCodes: recoveryCodes ?? [] }
}
