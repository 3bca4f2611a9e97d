import type { Config } from '../../config.ts'
import { breachedPasswords, type PasswordRules, strongPasswords } from '../../identity/index.ts'
import type { Log } from '../../kernel/index.ts'

/** The rules for new passwords that the settings ask for, as a part of identity; none with PASSWORD_STRENGTH=any. */
export function passwordRules({ passwords }: Config, log: Log): { readonly passwordRules?: PasswordRules } {
  const { strength, breachedUrl } = passwords
  if (strength === 'any') return {}
  return {
    passwordRules: strongPasswords(
      breachedUrl === undefined ? undefined : breachedPasswords({ url: breachedUrl, log }),
    ),
  }
}
