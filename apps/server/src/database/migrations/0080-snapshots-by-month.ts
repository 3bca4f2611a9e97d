import { partitionByMonth } from '../migration-steps.ts'

/** Each day adds a row for each position: a read, an index and a vacuum concern the months that they need (ADR 149). */
export const steps = partitionByMonth('yield_snapshots', 'day')
