/** Names the schema that the document shows in place of the one that validates or serializes. */
export const DOCUMENTED = 'x-weir-documented'

/**
 * Options of a schema that accepts more than a client should send, or serializes faster than its exact form would: the
 * document shows `exact` instead.
 */
export function documentedAs(exact: unknown): Record<string, unknown> {
  return { [DOCUMENTED]: exact }
}
