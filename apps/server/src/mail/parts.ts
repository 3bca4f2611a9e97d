import type { Database } from '../database/index.ts'
import type { Clock, Log, Sealer } from '../kernel/index.ts'
import type { Mailer } from './port.ts'

/** What the delivery of mail needs. */
export interface MailDeliveryParts {
  readonly db: Database
  readonly clock: Clock
  readonly log: Log
  /** Opens what identity sealed. */
  readonly sealer: Sealer
  readonly mailer: Mailer
  /** The page that links lead to; from the settings, never from a request. */
  readonly accountUrl: string
}
