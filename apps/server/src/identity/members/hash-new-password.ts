import { validationError } from '../../kernel/index.ts'
import type { IdentityParts } from '../shared/parts.ts'
import { hashPassword } from './password.ts'

export interface NewPassword {
  readonly password: string
  /** Where the request has it; `password` if absent. */
  readonly path?: string
  /** The email address and names of its account; see {@link PasswordRules}. */
  readonly about: readonly (string | null | undefined)[]
}

/** Hash for storage of a password that a person chose. VALIDATION_ERROR at `path` for its length, or by the rules. */
export async function hashNewPassword(
  { passwordRules }: Pick<IdentityParts, 'passwordRules'>,
  { password, path = 'password', about }: NewPassword,
): Promise<string> {
  const hash = await hashPassword(password, path)
  const words = about.filter((word): word is string => typeof word === 'string')
  const refusal = await passwordRules?.refusalOf(password.normalize('NFKC'), words)
  if (refusal !== undefined) throw validationError(path, refusal)
  return hash
}
