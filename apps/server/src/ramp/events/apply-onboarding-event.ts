import type { Tx } from '../../database/index.ts'
import { advanceVerification } from '../customers/advance-verification.ts'
import { kybPath } from '../customers/kyb-states.ts'
import type { OnboardingEvent } from '../provider/port.ts'
import { lastReportedStatus } from './last-reported-status.ts'
import type { ApplyEventParts, ProviderEventOutcome } from './outcome.ts'

/** Moves a started verification to the status of an event of the provider. */
export async function applyOnboardingEvent(
  { clock, fields, provider }: ApplyEventParts,
  tx: Tx,
  { subject, sequence, status, isReading = false }: OnboardingEvent,
): Promise<ProviderEventOutcome> {
  const row = await tx
    .selectFrom('ramp_customers')
    .selectAll()
    .where('kyb_reference', '=', subject)
    .forUpdate()
    .executeTakeFirst()
  // Events of an earlier attempt are obsolete.
  if (!row) return 'unknown'
  if (sequence <= row.kyb_sequence) return 'overtaken'
  // A provider that continues a restarted verification shows its old decision until somebody fills in the form again.
  const isRepeated =
    isReading && status !== row.kyb_status && status === (await lastReportedStatus(tx, provider.name, subject))
  if (isRepeated) return 'overtaken'
  const path = kybPath(row.kyb_status ?? 'new', status)
  if (!path) return 'contradicts'
  await advanceVerification(tx, fields, row, { path, sequence, at: clock.now() })
  return 'applied'
}
