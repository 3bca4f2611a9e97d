import { createHash } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { Schema, Tx } from '../../database/index.ts'

/** The organization whose data a step destroys. */
export interface ErasedOrganization {
  readonly organizationId: number
  readonly at: Date
}

/**
 * One kind of data that an erasure destroys. Every room with personal data has its own; `main` puts them in order. A
 * step can be repeated: it changes only what is not destroyed yet.
 */
export interface ErasureStep {
  /** A word for the progress: `members`. */
  readonly name: string
  /**
   * Destroys a batch, or everything at once. Returns how many rows had something to destroy; the step is over with 0.
   * Error: CONFLICT with `details.reason` if it must wait.
   */
  readonly erase: (tx: Tx, organization: ErasedOrganization) => Promise<number>
}

/** How far the erasure of an organization is. */
export interface Erasure {
  readonly organizationId: number
  readonly requestedAt: Date
  /** `null`: not finished. */
  readonly finishedAt: Date | null
  /** Why it waits: `payments_under_way`. */
  readonly waitsFor: string | null
  /** The step that runs next; `null` before the first and after the last. */
  readonly step: string | null
  /** Rows that lost data, by step. */
  readonly erased: Readonly<Record<string, number>>
}

export function erasureFrom(row: Selectable<Schema['organization_erasures']>): Erasure {
  return {
    organizationId: row.organization_id,
    requestedAt: row.requested_at,
    finishedAt: row.finished_at,
    waitsFor: row.waits_for,
    step: row.step,
    erased: row.erased as Record<string, number>,
  }
}

/** A receipt has 256 random bits, so a plain hash is enough. */
export const receiptHash = (receipt: string): Buffer => createHash('sha256').update(receipt).digest()
