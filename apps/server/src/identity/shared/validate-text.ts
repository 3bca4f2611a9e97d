import { EMAIL_LENGTH_MAX, NAME_LENGTH_MAX, validationError } from '../../kernel/index.ts'

/**
 * One `@`, a dotted domain of letters, digits and hyphens, no spaces, control characters or invisible ones, with which an
 * address would look like another; the mail server checks the rest.
 */
const EMAIL_FORMAT =
  /^[^\s@"(),:;<>[\]\\\p{Cc}\p{Cf}\p{Cs}]{1,64}@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?\.)+[\p{L}\p{N}-]{2,63}$/u

/** Login names of members who lost their address. Nobody may choose one, or the next release would find it in use. */
export const RELEASED_DOMAIN = '@weir.invalid'

const UNPRINTABLE = /[\p{Cc}\p{Cs}]/u

/** The form in which an email is stored and compared. */
export function normalizeEmail(email: string): string {
  return email.trim().normalize('NFC').toLowerCase()
}

/** A new account's email, normalized. VALIDATION_ERROR at `email` when it is not an address. */
export function validateEmail(email: string): string {
  const text = normalizeEmail(email)
  const isAddress = text.length <= EMAIL_LENGTH_MAX && EMAIL_FORMAT.test(text) && !text.endsWith(RELEASED_DOMAIN)
  if (!isAddress) throw validationError('email', 'must be an email address')
  return text
}

/** A readable name: trimmed, 1 to 200 characters, no control characters. VALIDATION_ERROR at `path` otherwise. */
export function validateName(path: string, name: string): string {
  const text = name.trim()
  if (text === '' || text.length > NAME_LENGTH_MAX)
    throw validationError(path, `must have 1 to ${NAME_LENGTH_MAX} characters`)
  if (UNPRINTABLE.test(text)) throw validationError(path, 'must not contain control characters')
  return text
}
