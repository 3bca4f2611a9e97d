import type { SettingParser } from './setting-parsers.ts'

const AUTHORITY = /^(?<scheme>postgres(?:ql)?:\/\/)(?<login>[^/?#]*@)?(?<hosts>[^/?#]*)(?<rest>.*)$/s

/** A PostgreSQL URL that names one host or several, separated by commas. Its details are checked when it is used. */
export const databaseUrl: SettingParser<string> = (text) => {
  const isUrl = URL.canParse(withoutHosts(text) ?? '')
  if (isUrl && databaseHosts(text).every((host) => host !== '')) return text
  throw new RangeError('must be a URL that begins with postgres:// or postgresql:// and names a host')
}

/** The hosts of a PostgreSQL URL, without ports; a Unix socket is a path. */
export function databaseHosts(text: string): string[] {
  const { hosts = '' } = AUTHORITY.exec(text)?.groups ?? {}
  const named = databaseParameter(text, 'host')
  const parts = (named ?? hosts).split(',').map(decodeURIComponent)
  return parts.map((part) => (part.startsWith('/') ? part : (/^(\[[^\]]*\]|[^:]*)/.exec(part)?.[1] ?? '')))
}

/** A parameter of a PostgreSQL URL; of a repeated one the driver takes the last. */
export function databaseParameter(text: string, name: string): string | undefined {
  return new URL(withoutHosts(text) ?? text).searchParams.getAll(name).at(-1)
}

/** The URL standard knows no lists of hosts. */
function withoutHosts(text: string): string | undefined {
  const { scheme, login = '', rest } = AUTHORITY.exec(text)?.groups ?? {}
  return scheme && `${scheme}${login}hosts${rest}`
}
