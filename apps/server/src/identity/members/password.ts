import { hash, type Options, verify } from '@node-rs/argon2'
import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN, validationError } from '../../kernel/index.ts'

/** argon2id (the library's default), 19 MiB and two passes: about 10 ms per check on a small machine. */
const COST: Options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/**
 * The hash of 32 discarded random bytes: no text matches it, and checking against it takes the usual time. It is the hash
 * of members who have no password.
 */
export const NO_PASSWORD =
  '$argon2id$v=19$m=19456,t=2,p=1$xcuYWmodpQiroPNPg8PvFg$mrUdn0Ukmu9GPS5WJzidykaKUDS2OFD8VS+fUgbIX9E'

/** Unicode-normalized (NFKC), so that the same password typed on another keyboard matches. */
const normalize = (password: string): string => password.normalize('NFKC')

/** Hash for storage. VALIDATION_ERROR at `path` when it is shorter than 12 or longer than 1,024 characters. */
export async function hashPassword(password: string, path = 'password'): Promise<string> {
  const text = normalize(password)
  const length = [...text].length
  if (length < PASSWORD_LENGTH_MIN) throw validationError(path, `must have at least ${PASSWORD_LENGTH_MIN} characters`)
  if (length > PASSWORD_LENGTH_MAX) throw validationError(path, `must have at most ${PASSWORD_LENGTH_MAX} characters`)
  return await hash(text, COST)
}

/** Whether the password matches. Without a stored hash (unknown email) it never does, but takes as long. */
export async function passwordMatches(stored: string | undefined, password: string): Promise<boolean> {
  const matches = await verify(stored ?? NO_PASSWORD, normalize(password))
  return matches && stored !== undefined
}
