import ipaddr from 'ipaddr.js'
import type { AllowedHost } from './allowed-hosts.ts'
import { databaseHosts, databaseParameter } from './database-url.ts'
import { SETTINGS, type SettingValues } from './settings.ts'

/**
 * Links that would carry keys, balances or the database's password without TLS, as problems of the settings that name
 * them. Loopback addresses, Unix sockets and hosts in PRIVATE_LINKS are accepted.
 */
export function insecureLinks(values: SettingValues): [name: string, sentence: string][] {
  const isPrivate = (host: string) => isLoopback(host) || isListed(values.privateLinks ?? [], host)
  const problems: [string, string][] = []
  const check = (name: string, urls: readonly (string | undefined)[], plain: string, secure: string): void => {
    const hosts = urls.flatMap((url) => (url === undefined ? [] : [new URL(url)]))
    const exposed = hosts.find(({ protocol, hostname }) => protocol === plain && !isPrivate(hostname))
    if (exposed) problems.push([name, refusal(exposed.hostname, secure)])
  }
  for (const key of ['ethereumRpcUrls', 'polygonRpcUrls', 'baseRpcUrls', 'solanaRpcUrls'] as const) {
    check(SETTINGS[key].name, values[key] ?? [], 'http:', 'https')
  }
  check(SETTINGS.redisUrl.name, [values.redisUrl], 'redis:', 'rediss')
  check(SETTINGS.publicUrl.name, [values.publicUrl], 'http:', 'https')
  check(SETTINGS.accountUrl.name, [values.accountUrl], 'http:', 'https')
  for (const key of ['otlpEndpoint', 'otlpTracesEndpoint'] as const)
    check(SETTINGS[key].name, [values[key]], 'http:', 'https')
  if (values.encryptionKmsKeyIds) check(SETTINGS.kmsEndpoint.name, [values.kmsEndpoint], 'http:', 'https')
  const exposed = plainDatabaseHosts(values.databaseUrl).find((host) => !isPrivate(host))
  if (exposed !== undefined) problems.push([SETTINGS.databaseUrl.name, refusal(exposed, '?sslmode=verify-full')])
  return problems
}

function refusal(host: string, secure: string): string {
  return `must use TLS (${secure}) to reach ${host} when SERVICE_ENV is live, or PRIVATE_LINKS must list ${host}`
}

/** Modes in which the driver verifies the certificate; with `uselibpqcompat` only the last one does, as in libpq. */
const SECURE_MODES = ['require', 'verify-ca', 'verify-full']

/**
 * The database's hosts if the connection may be unencrypted or its certificate is not verified; none for a connection
 * with TLS. A Unix socket needs none.
 */
function plainDatabaseHosts(databaseUrl: string | undefined): string[] {
  if (databaseUrl === undefined) return []
  const mode = databaseParameter(databaseUrl, 'sslmode')
  const ssl = databaseParameter(databaseUrl, 'ssl') ?? ''
  const isLibpq = databaseParameter(databaseUrl, 'uselibpqcompat') === 'true'
  const modes = isLibpq ? SECURE_MODES.slice(-1) : SECURE_MODES
  const isSecure = mode === undefined ? ['true', '1'].includes(ssl) : modes.includes(mode)
  return isSecure ? [] : databaseHosts(databaseUrl).filter((host) => !host.startsWith('/'))
}

function isLoopback(host: string): boolean {
  const address = addressOf(host)
  return address === undefined ? /^localhost\.?$/i.test(host) : address.range() === 'loopback'
}

function isListed(allowed: readonly AllowedHost[], host: string): boolean {
  const address = addressOf(host)
  const name = host.toLowerCase().replace(/\.$/, '')
  return allowed.some((one) => {
    if (one.kind === 'host') return one.host === name
    return address?.kind() === one.network.kind() && address.match(one.network as never, one.bits)
  })
}

function addressOf(host: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  const bare = host.replace(/^\[(.*)\]$/, '$1')
  return ipaddr.isValid(bare) ? ipaddr.process(bare) : undefined
}
