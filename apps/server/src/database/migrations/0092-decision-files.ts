import { statement } from '../migration-steps.ts'

/** The SHA-256 of the file that a member decided by. Weir stores no file (ADR 165). */
export const steps = [statement('alter table operation_approvals add column if not exists file_sha256 text')]
