/**
 * The same value with only scheme and host of each `url` in it, at any depth. Receivers of webhooks often have a secret
 * in the path or the query of their URL.
 */
export function withoutPaths(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPaths)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      name === 'url' && typeof item === 'string' ? hostOf(item) : withoutPaths(item),
    ]),
  )
}

/** A text that is no URL may hold anything, so none of it is shown. */
function hostOf(text: string): string {
  const { protocol, host } = URL.canParse(text) ? new URL(text) : { protocol: '', host: '' }
  return host === '' ? '…' : `${protocol}//${host}/…`
}
