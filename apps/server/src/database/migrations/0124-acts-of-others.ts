import { statement } from '../migration-steps.ts'

/**
 * What others did in somebody's name. Which passwords others set: the first single sign-on ends them, unless the member
 * proved the address since then. Which network requested an email: it uses up only its own share of the address.
 */
export const steps = [
  statement('alter table users add column if not exists password_assigned_at timestamptz'),
  statement('alter table mails add column if not exists requester bytea'),
]
