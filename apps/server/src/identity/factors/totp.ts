import { Secret, TOTP } from 'otpauth'
import { type RandomSource, TOTP_STEPS_WINDOW } from '../../kernel/index.ts'

/** RFC 4226 recommends 160 bits. */
const SECRET_LENGTH = 20
const STEP_SECONDS = 30
/** Every authenticator app supports these; some ignore others. */
const FORM = { algorithm: 'SHA1', digits: 6, period: STEP_SECONDS } as const

/** A new secret in base32. */
export function newTotpSecret(random: RandomSource): string {
  const bytes = Uint8Array.from(random(SECRET_LENGTH))
  return new Secret({ buffer: bytes.buffer }).base32
}

/** The address that an authenticator app reads from a QR code. */
export function totpUri(secret: string, label: string): string {
  return new TOTP({ ...FORM, issuer: 'Weir', label, secret: Secret.fromBase32(secret) }).toString()
}

/** The time step whose code this is, at most one before or after the current one; `undefined` if it is none of them. */
export function stepOfCode(secret: string, code: string, at: Date): number | undefined {
  const token = code.replaceAll(' ', '')
  if (!/^[0-9]{6}$/.test(token)) return undefined
  const timestamp = at.getTime()
  const totp = new TOTP({ ...FORM, secret: Secret.fromBase32(secret) })
  const delta = totp.validate({ token, timestamp, window: TOTP_STEPS_WINDOW })
  return delta === null ? undefined : Math.floor(timestamp / 1_000 / STEP_SECONDS) + delta
}
