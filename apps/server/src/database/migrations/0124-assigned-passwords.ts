import { statement } from '../migration-steps.ts'

/** Which passwords others set: their first single sign-on ends them, unless the member proved the address since then. */
export const steps = [statement('alter table users add column if not exists password_assigned_at timestamptz')]
