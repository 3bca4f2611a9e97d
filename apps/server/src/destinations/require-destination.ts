import { sql } from 'kysely'
import type { Database, Tx } from '../database/index.ts'
import { Failure } from '../kernel/index.ts'

/**
 * Checks where tokens are to go. FORBIDDEN with `details.reason` `destination_not_allowed` when the organization enforces
 * its allow-list and the address, in its canonical spelling, is not on it.
 */
export async function requireDestination(
  db: Database | Tx,
  organizationId: number,
  { blockchain, address }: { readonly blockchain: string; readonly address: string },
): Promise<void> {
  const { rows } = await sql<{ refused: boolean }>`
    select exists (select from destination_lists where organization_id = ${organizationId} and enforced)
      and not exists (select from destinations where organization_id = ${organizationId}
        and blockchain = ${blockchain} and address = ${address}) as refused
  `.execute(db)
  if (!rows[0]!.refused) return
  throw new Failure('FORBIDDEN', {
    message: `The address ${address} on ${blockchain} is not on the allow-list of destinations.`,
    details: { reason: 'destination_not_allowed', blockchain, address },
  })
}
