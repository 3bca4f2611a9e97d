import { statement, uniqueIndex } from '../migration-steps.ts'

const replaceKey = (table: string) => [
  uniqueIndex(`${table}_by_organization`, `${table} (organization_id, id)`),
  statement(
    `alter table ${table} drop constraint ${table}_pkey, add constraint ${table}_pkey primary key using index ${table}_by_organization`,
  ),
]

/** The last primary keys of tenants' tables without the organization, by which they can be distributed (ADR 153). */
export const steps = [...replaceKey('ramp_bridge_intents'), ...replaceKey('treasury_sends')]
