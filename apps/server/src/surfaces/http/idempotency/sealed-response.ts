import type { SealedColumn } from '../../../secrets/index.ts'

/** Seals the stored responses of idempotent requests. */
const RESPONSES_PURPOSE = 'idempotent responses'

/** Binds a stored response to its key. */
function labelOfResponse(organizationId: number, key: string): string {
  return `idempotency_keys.sealed_body ${organizationId}/${key}`
}

export const RESPONSES_SEALED_COLUMN: SealedColumn = {
  table: 'idempotency_keys',
  column: 'sealed_body',
  key: ['organization_id', 'key'],
  purpose: RESPONSES_PURPOSE,
  label: ({ organization_id, key }) => labelOfResponse(Number(organization_id), String(key)),
}
