import { index } from '../migration-steps.ts'

/** Money movements leave out what an entry posted as external and a reclassification took back. */
export const steps = [
  index(
    'ledger_entries_reclassified',
    "ledger_entries (organization_id, (split_part(source, ':', 3)::bigint)) where kind = 'reclassification'",
  ),
]
