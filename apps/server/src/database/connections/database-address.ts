/** One server of DATABASE_URL. */
export interface DatabaseServer {
  readonly host: string
  readonly port: number
}

/** What DATABASE_URL says. */
export interface DatabaseAddress {
  /** In the order of the URL; one of them accepts writes. */
  readonly servers: readonly DatabaseServer[]
  /** The URL with the first server only and without the parameters that are given here: what the driver understands. */
  readonly url: string
  /** Whether a server that does not accept writes is refused; false with `target_session_attrs=any`. */
  readonly mustAcceptWrites: boolean
  /** Settings of a session that the URL overrides, such as `statement_timeout`. */
  readonly session: Readonly<Record<string, string>>
}

/** Sent by the driver as startup parameters, which poolers refuse; each session sets them instead. */
const SESSION_PARAMETERS = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout']
const AUTHORITY = /^(?<scheme>postgres(?:ql)?:\/\/)(?<login>[^/?#]*@)?(?<hosts>[^/?#]*)(?<rest>.*)$/s

/**
 * Parses a PostgreSQL URL, with one server or several: `postgres://user@one:5432,two:5433/weir`, or with the parameters
 * `host=one,two&port=5432,5433`. Throws the end of a sentence about the URL, without repeating it.
 */
export function parseDatabaseUrl(text: string): DatabaseAddress {
  const { scheme, login = '', hosts = '', rest } = AUTHORITY.exec(text)?.groups ?? {}
  if (scheme === undefined || rest === undefined)
    throw new RangeError('must be a URL that begins with postgres:// or postgresql://')
  const base = `${scheme}${login}placeholder${rest}`
  if (!URL.canParse(base)) throw new RangeError('must be a URL: a special character in its password is written as %40')
  const url = new URL(base)
  const named = last(url, 'host')
  const servers =
    named === undefined ? serversIn(hosts) : serversOf(named.split(','), last(url, 'port')?.split(',') ?? [])
  const attributes = last(url, 'target_session_attrs') ?? 'read-write'
  if (!['read-write', 'primary', 'any'].includes(attributes))
    throw new RangeError('must have target_session_attrs read-write, primary or any')
  const session = Object.fromEntries(
    SESSION_PARAMETERS.flatMap((name) => {
      const value = last(url, name)
      return value === undefined ? [] : [[name, value]]
    }),
  )
  for (const name of ['host', 'port', 'target_session_attrs', ...SESSION_PARAMETERS]) url.searchParams.delete(name)
  const [first] = servers
  if (first === undefined) throw new RangeError('must name a host')
  const authority = first.host.startsWith('/') ? encodeURIComponent(first.host) : hostInUrl(first)
  return {
    servers,
    url: `${scheme}${login}${authority}${url.pathname}${url.search}`,
    mustAcceptWrites: attributes !== 'any',
    session,
  }
}

/** The URL of one server, as the log and error messages name it. */
export function describeServer({ host, port }: DatabaseServer): string {
  return host.startsWith('/') ? host : hostInUrl({ host, port })
}

function hostInUrl({ host, port }: DatabaseServer): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** The driver uses the last value of a repeated parameter. */
function last(url: URL, name: string): string | undefined {
  return url.searchParams.getAll(name).at(-1)
}

function serversIn(authority: string): DatabaseServer[] {
  const parts = authority.split(',').map((part) => /^(?<host>\[[^\]]*\]|[^:]*)(?::(?<port>.*))?$/.exec(part)?.groups)
  return serversOf(
    parts.map((part) => part?.host ?? ''),
    parts.map((part) => part?.port ?? ''),
  )
}

/** As in libpq, one port counts for all hosts. */
function serversOf(hosts: readonly string[], ports: readonly string[]): DatabaseServer[] {
  if (ports.length > 1 && ports.length !== hosts.length)
    throw new RangeError('must name one port, or one for each host')
  return hosts.map((text, at) => {
    const host = decodeURIComponent(text).replace(/^\[(.*)\]$/, '$1')
    const port = (ports.length > 1 ? ports[at] : ports[0]) || '5432'
    if (!/^(?:\/.+|[a-z0-9_][a-z0-9_.-]*|[0-9a-f:.]+(?:%.+)?)$/i.test(host)) throw new RangeError('must name a host')
    if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535 || Number(port) === 0)
      throw new RangeError('must name ports from 1 to 65535')
    return { host, port: Number(port) }
  })
}
