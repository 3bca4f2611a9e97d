import type { RampStatus, Tx } from '../../database/index.ts'

/** The status of the payment that a provider's reference names; `undefined` if none is recorded. */
export async function statusOfPayment(tx: Tx, reference: string): Promise<RampStatus | undefined> {
  const row = await tx
    .selectFrom('ramp_transactions')
    .select('status')
    .where('provider_reference', '=', reference)
    .executeTakeFirst()
  return row?.status
}
