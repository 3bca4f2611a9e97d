/** What a new password must be beyond its length. */
export interface PasswordRules {
  /**
   * Why the password is refused, as the end of a sentence about it; `undefined` if it is accepted. `about` lists words
   * that an attacker would try first: the email address and the names of user and organization.
   */
  refusalOf(password: string, about: readonly string[]): Promise<string | undefined>
}

/** A list of passwords from breaches. */
export interface BreachedPasswords {
  has(password: string): Promise<boolean>
}
