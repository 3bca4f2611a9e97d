import { statement } from '../migration-steps.ts'

/** Why a member approved or rejected an operation, and where the evidence is. */
export const steps = [
  statement('alter table operation_approvals add column if not exists reason text'),
  statement('alter table operation_approvals add column if not exists link text'),
]
