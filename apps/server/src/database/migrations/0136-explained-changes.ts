import { statement } from '../migration-steps.ts'

/** Why a member decided on a change request, as on an operation: in words, by a link, and by the SHA-256 of a file. */
export const steps = [
  statement(
    'alter table change_decisions add column if not exists reason text, add column if not exists link text, add column if not exists file_sha256 text',
  ),
]
