import type { SealedColumn } from '../secrets/index.ts'
import { labelOfAccountNumber } from './accounts/account.ts'
import { labelOfIgnoredEvent } from './bridge/ignored-events.ts'
import { labelOfAnswers } from './sandbox/onboarding.ts'
import { labelOfField, PERSONAL_DATA, SEALED_FIELDS, type SealedField } from './sealing/sealed-fields.ts'

const numberOf = (value: unknown): number => Number(value)

const field = (table: keyof typeof SEALED_FIELDS, column: SealedField): SealedColumn => ({
  table,
  column,
  key: ['organization_id', 'id'],
  purpose: PERSONAL_DATA,
  label: ({ organization_id, id }) =>
    labelOfField(column, { organizationId: numberOf(organization_id), id: numberOf(id) }),
})

/** The sealed values of this room. */
export const RAMP_SEALED_COLUMNS: readonly SealedColumn[] = [
  ...SEALED_FIELDS.ramp_customers.map((column) => field('ramp_customers', column)),
  ...SEALED_FIELDS.ramp_accounts.map((column) => field('ramp_accounts', column)),
  {
    table: 'ramp_accounts',
    column: 'account_number',
    key: ['organization_id', 'id'],
    purpose: 'ramp accounts',
    label: ({ organization_id, id }) => labelOfAccountNumber(numberOf(organization_id), numberOf(id)),
  },
  {
    table: 'ramp_sandbox_applications',
    column: 'answers',
    key: ['reference'],
    purpose: 'ramp sandbox applications',
    label: ({ reference }) => labelOfAnswers(String(reference)),
  },
  {
    table: 'ramp_bridge_ignored_events',
    column: 'body',
    key: ['event_id'],
    purpose: 'ramp bridge events',
    label: ({ event_id }) => labelOfIgnoredEvent(String(event_id)),
  },
]
