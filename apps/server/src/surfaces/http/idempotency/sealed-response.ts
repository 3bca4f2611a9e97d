import type { SealedColumn } from '../../../secrets/index.ts'
import type { ServerOptions } from '../app.ts'
import type { IdempotentRequest } from './claims.ts'

/** Seals the stored responses of idempotent requests. */
export const RESPONSES_PURPOSE = 'idempotent responses'

/** Binds a stored response to its key. */
function labelOfResponse({ organizationId, key }: Pick<IdempotentRequest, 'organizationId' | 'key'>): string {
  return `idempotency_keys.sealed_body ${organizationId}/${key}`
}

type ResponseParts = Pick<ServerOptions, 'responseSealer'>

/** A response as it is stored: it may name people and accounts. */
export function sealResponse({ responseSealer }: ResponseParts, of: IdempotentRequest, body: string): string | Buffer {
  return responseSealer === undefined ? body : responseSealer.seal(body, labelOfResponse(of))
}

/** A stored response; rows of earlier versions have it in plain text. */
export function openResponse(
  { responseSealer }: ResponseParts,
  of: IdempotentRequest,
  stored: string | Uint8Array,
): string {
  if (typeof stored === 'string') return stored
  if (responseSealer === undefined) throw new Error('a stored response is sealed, and this process has no key for it')
  return responseSealer.open(stored, labelOfResponse(of))
}

export const RESPONSES_SEALED_COLUMN: SealedColumn = {
  table: 'idempotency_keys',
  column: 'sealed_body',
  key: ['organization_id', 'key'],
  purpose: RESPONSES_PURPOSE,
  label: ({ organization_id, key }) => labelOfResponse({ organizationId: Number(organization_id), key: String(key) }),
}
