import { sql } from 'kysely'
import { type Database, inTransaction, type Tx } from '../../database/index.ts'
import { SEAL_CLEAR_FIELDS_BATCH } from '../../kernel/index.ts'
import { sealedBankColumns } from '../accounts/account.ts'
import { sealedLink } from '../customers/advance-verification.ts'
import { openCustomerFields, sealedCustomerColumns } from '../customers/customer-fields.ts'
import type { RampParts } from '../parts.ts'

type SealParts = Pick<RampParts, 'db' | 'fields'>

/**
 * Seals rows of versions before sealing, a batch of each table, and empties their plain-text columns. Returns how many
 * rows were sealed; 0 means that none is left. Once plain-text values are refused, it seals nothing: somebody else
 * wrote them.
 */
export async function sealClearFields({ db, fields }: SealParts): Promise<number> {
  if (!fields.acceptsClear) return 0
  return await inTransaction(db, async (tx) => (await sealCustomers(tx, fields)) + (await sealAccounts(tx, fields)))
}

/** How many rows still have personal or bank data in plain text. */
export async function countClearFields(db: Database): Promise<number> {
  const { rows } = await sql<{ amount: number }>`
    select (select count(*) from ramp_customers where sealed_name is null and erased_at is null)
      + (select count(*) from ramp_accounts where sealed_routing_number is null and erased_at is null) as amount
  `.execute(db)
  return rows[0]?.amount ?? 0
}

async function sealCustomers(tx: Tx, fields: RampParts['fields']): Promise<number> {
  const rows = await tx
    .selectFrom('ramp_customers')
    .selectAll()
    .where('sealed_name', 'is', null)
    .where('erased_at', 'is', null)
    .orderBy('id')
    .limit(SEAL_CLEAR_FIELDS_BATCH)
    .forUpdate()
    .skipLocked()
    .execute()
  for (const row of rows) {
    const owner = { organizationId: row.organization_id, id: row.id }
    const { kybLink, ...customer } = openCustomerFields(fields, row)
    const columns = sealedCustomerColumns(fields, owner, customer)
    const index = columns.external_id_index
    const taken =
      index !== null &&
      (await tx
        .selectFrom('ramp_customers')
        .select('id')
        .where('organization_id', '=', row.organization_id)
        .where('external_id_index', '=', index)
        .executeTakeFirst())
    await tx
      .updateTable('ramp_customers')
      .set({
        ...columns,
        // A process of an earlier version cannot see that a sealed row has this external id.
        external_id_index: taken ? null : index,
        ...(row.sealed_kyb_link === null && sealedLink(fields, owner, kybLink)),
      })
      .where('organization_id', '=', row.organization_id)
      .where('id', '=', row.id)
      .execute()
  }
  return rows.length
}

async function sealAccounts(tx: Tx, fields: RampParts['fields']): Promise<number> {
  const rows = await tx
    .selectFrom('ramp_accounts')
    .select(['organization_id', 'id', 'bank_name', 'routing_number', 'account_holder'])
    .where('sealed_routing_number', 'is', null)
    .where('erased_at', 'is', null)
    .orderBy('id')
    .limit(SEAL_CLEAR_FIELDS_BATCH)
    .forUpdate()
    .skipLocked()
    .execute()
  for (const { organization_id: organizationId, id, ...row } of rows) {
    const bank = { bankName: row.bank_name, routingNumber: row.routing_number, accountHolder: row.account_holder }
    await tx
      .updateTable('ramp_accounts')
      .set(sealedBankColumns(fields, { organizationId, id }, bank))
      .where('organization_id', '=', organizationId)
      .where('id', '=', id)
      .execute()
  }
  return rows.length
}
