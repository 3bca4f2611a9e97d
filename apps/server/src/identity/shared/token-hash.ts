import { createHash } from 'node:crypto'

/** One-time tokens and codes are stored only in this form: reading the database opens nothing. */
export function tokenHash(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
