import type { Database } from '../database/index.ts'
import type { Clock, Sealer } from '../kernel/index.ts'

/** Everything that the verbs of this room may need; each verb picks the parts that it uses. */
export interface ChangeParts {
  readonly db: Database
  readonly clock: Clock
  /** Encrypts what a change request says, which may hold personal and bank data. */
  readonly sealer: Sealer
  /** Keys the hashes that recognize a repeated request; 64 hexadecimal digits. */
  readonly fingerprintKey: string
}
