/** Whether a stored request had a secret in its body; a request to delete something has no body. */
export function isMasked(body: unknown): boolean {
  const text = JSON.stringify(body ?? null)
  return text.includes('•') || text.includes('***')
}

/** What a completed change returned that is shown once: a key, or the secret of an account or a webhook. */
export function secretIn(made: unknown): string | undefined {
  const { apiKey, secret } = (made ?? {}) as { readonly apiKey?: unknown; readonly secret?: unknown }
  return [apiKey, secret].find((each) => typeof each === 'string')
}
