/** Where receivers of webhooks are, and where an approver keeps a file: the whole URL often opens it for anyone. */
const SHORTENED = new Set(['url', 'link'])

/** The same value with only scheme and host of each URL in it, at any depth. */
export function withoutPaths(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPaths)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      SHORTENED.has(name) && typeof item === 'string' ? hostOf(item) : withoutPaths(item),
    ]),
  )
}

/** A text that is no URL may hold anything, so none of it is shown. */
function hostOf(text: string): string {
  const { protocol, host } = URL.canParse(text) ? new URL(text) : { protocol: '', host: '' }
  return host === '' ? '…' : `${protocol}//${host}/…`
}
