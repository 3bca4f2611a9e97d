import { blindIndex, CHANGE_FIELDS_MAX, validationError } from '../../kernel/index.ts'

/** What a request would change: everything that decides its effect. */
export interface FingerprintedRequest {
  readonly organizationId: number
  readonly method: string
  /** The path of the route, with its parameters' names: `/api/core/members/:id`. */
  readonly route: string
  readonly params: unknown
  readonly query: unknown
  /** As it was validated, with defaults. */
  readonly body: unknown
}

/**
 * Identifies a request, whatever the order of the fields in its body. The hash is keyed (64 hexadecimal digits): bodies
 * carry passwords and account numbers, which are short enough to guess from a plain hash. Equal requests of two
 * organizations have different fingerprints, so the database does not show that they have an account number in common.
 * VALIDATION_ERROR for a body of more fields than any change has, among them fields that the service ignores.
 */
export function fingerprintOf(key: string, request: FingerprintedRequest): Buffer {
  const { organizationId, method, route, params, query, body } = request
  return blindIndex(
    key,
    `change request ${organizationId}`,
    canonical([method, route, params ?? {}, query ?? {}, body ?? {}]),
  )
}

/** JSON with sorted field names. Sorting is what costs, so too many are refused before it. */
function canonical(value: unknown): string {
  let fields = 0
  return JSON.stringify(value, (_name, node: unknown) => {
    if (typeof node !== 'object' || node === null || Array.isArray(node)) return node
    const entries = Object.entries(node)
    fields += entries.length
    if (fields > CHANGE_FIELDS_MAX) throw validationError('body', `must have at most ${CHANGE_FIELDS_MAX} fields`)
    return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
  })
}
