import type { Tx } from '../../database/index.ts'
import type { TransferEvent } from '../provider/port.ts'
import {
  advanceRampTransaction,
  insertRampTransaction,
  lockRampTransaction,
} from '../transactions/advance-ramp-transaction.ts'
import { transitionPath } from '../transactions/ramp-transaction-states.ts'
import type { ApplyEventParts, ProviderEventOutcome } from './outcome.ts'

/**
 * Moves a ramp transaction to the status of an event, through every status in between. The first event of a transfer
 * creates the ramp transaction.
 */
export async function applyTransferEvent(
  { clock, fields }: ApplyEventParts,
  tx: Tx,
  { subject, sequence, status, transfer }: TransferEvent,
): Promise<ProviderEventOutcome> {
  const at = clock.now()
  const found = await lockRampTransaction(tx, fields, subject)
  if (found && sequence <= found.provider_sequence) return 'overtaken'
  const path = transitionPath(found?.direction ?? transfer.direction, found?.status ?? 'new', status)
  if (!path) return 'contradicts'
  const row = found ?? (await insertRampTransaction(tx, fields, { reference: subject, transfer, at }))
  if (!row) return 'unknown'
  await advanceRampTransaction(tx, fields, row, { path, transfer, sequence, at })
  return 'applied'
}
