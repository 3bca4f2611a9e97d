import { type Insertable, type RawBuilder, type Selectable, sql } from 'kysely'
import type { Schema, Tx } from '../../database/index.ts'

/** The id of a new customer, taken before its row: its fields are sealed for it. */
export async function nextCustomerId(tx: Tx): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select nextval(pg_get_serial_sequence('ramp_customers', 'id')) as id
  `.execute(tx)
  return rows[0]!.id
}

/** Inserts a customer under an id of {@link nextCustomerId}; `undefined` if a conflict left everything as it was. */
export async function insertCustomer(
  tx: Tx,
  customer: Omit<Insertable<Schema['ramp_customers']>, 'id'> & { readonly id: number },
  onConflict: RawBuilder<unknown>,
): Promise<Selectable<Schema['ramp_customers']> | undefined> {
  const columns = Object.keys(customer).map((name) => sql.ref(name))
  const values = Object.values(customer).map((value) => sql`${value}`)
  const { rows } = await sql<Selectable<Schema['ramp_customers']>>`
    insert into ramp_customers (${sql.join(columns)}) overriding system value values (${sql.join(values)})
    on conflict ${onConflict} returning *
  `.execute(tx)
  return rows[0]
}
