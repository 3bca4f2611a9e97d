import { optional } from './define-setting.ts'
import { apiUrl, oneOf } from './setting-parsers.ts'

/** What a password that a person chooses must satisfy, beyond its length. */
export const PASSWORD_SETTINGS = {
  passwordStrength: optional(
    'PASSWORD_STRENGTH',
    oneOf('enforced', 'any'),
    'Whether new passwords that are common, a pattern, or made of the names of their account are refused: `enforced` or `any`. Unset: `any` in sandbox, `enforced` in live',
  ),
  breachedPasswordsUrl: optional(
    'BREACHED_PASSWORDS_URL',
    apiUrl,
    'List of breached passwords with the range interface of Have I Been Pwned, such as `https://api.pwnedpasswords.com/range`; new passwords on it are refused while PASSWORD_STRENGTH is `enforced`. The first five digits of their SHA-1 leave the service. Unset: no list',
  ),
} as const
