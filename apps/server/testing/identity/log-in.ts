import { type Login, logIn as logInWith, type SessionWithTokens } from '../../src/identity/index.ts'

/** The session of a user without a second factor. */
export async function logIn(parts: Parameters<typeof logInWith>[0], login: Login): Promise<SessionWithTokens> {
  const result = await logInWith(parts, login)
  if ('secondFactorRequired' in result) throw new Error('the user has a second factor')
  return result
}
