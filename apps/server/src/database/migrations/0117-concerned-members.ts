import { statement } from '../migration-steps.ts'

/** Whom a change request is about, and the role that it gives them: they do not decide it as others do. */
export const steps = [
  statement('alter table change_requests add column if not exists concerned_user_id bigint'),
  statement('alter table change_requests add column if not exists given_role text'),
]
