import type { Selectable } from 'kysely'
import type { Blockchain } from '../chains/index.ts'
import type { Database, Schema } from '../database/index.ts'
import type { Clock } from '../kernel/index.ts'

/** An address that an organization allows as a destination of tokens. */
export interface Destination {
  readonly id: number
  readonly blockchain: Blockchain
  /** In the chain's canonical spelling. */
  readonly address: string
  readonly label: string
  readonly createdBy: number
  readonly createdAt: Date
}

export interface DestinationParts {
  readonly db: Database
  readonly clock: Clock
}

export function destinationFrom(row: Selectable<Schema['destinations']>): Destination {
  return {
    id: row.id,
    blockchain: row.blockchain as Blockchain,
    address: row.address,
    label: row.label,
    createdBy: row.created_by,
    createdAt: row.created_at,
  }
}
