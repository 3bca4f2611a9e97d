/** A field of a stored request whose content was not stored, by the names on its way in the body. */
export interface MaskedField {
  readonly names: readonly string[]
  /** What is left of it, such as `****6789`. */
  readonly mask: string
}

const MASK = /^(?:•|\*{3})/

/** What has to be entered again before a stored request can be repeated; a request to delete something has no body. */
export function maskedFields(body: unknown, names: readonly string[] = []): readonly MaskedField[] {
  if (typeof body === 'string') return MASK.test(body) ? [{ names, mask: body }] : []
  if (typeof body !== 'object' || body === null) return []
  return Object.entries(body).flatMap(([name, value]) => maskedFields(value, [...names, name]))
}

/** The stored request with what was entered again in place of its masks, by their names joined with a point. */
export function unmasked(
  body: unknown,
  entered: Readonly<Record<string, string>>,
  names: readonly string[] = [],
): unknown {
  if (typeof body === 'string') return MASK.test(body) ? (entered[names.join('.')] ?? body) : body
  if (typeof body !== 'object' || body === null) return body
  if (Array.isArray(body)) return body.map((each, at) => unmasked(each, entered, [...names, String(at)]))
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, unmasked(value, entered, [...names, name])]),
  )
}

/** What a completed change returned that is shown once: a key, or the secret of an account or a webhook. */
export function secretIn(made: unknown): string | undefined {
  const { apiKey, secret } = (made ?? {}) as { readonly apiKey?: unknown; readonly secret?: unknown }
  return [apiKey, secret].find((each) => typeof each === 'string')
}
