import { statement } from '../migration-steps.ts'

/** Anchors of the audit log name the epoch of the database: ids of a new one continue above those that may be lost. */
export const steps = [statement('alter table audit_anchors add column if not exists epoch bigint')]
