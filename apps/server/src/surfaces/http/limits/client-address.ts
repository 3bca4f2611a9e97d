import { isIP, isIPv6 } from 'node:net'
import type { FastifyRequest } from 'fastify'

/** Addresses by request, because a connection that the caller closed no longer has one. */
const ADDRESSES = new WeakMap<FastifyRequest, string>()
/** The unspecified address, which no caller has: the caller left before the request was read. */
const UNKNOWN = '0.0.0.0'

/**
 * The caller's IP address. Behind a trusted proxy it is what the proxy reports, if that is an address: some proxies add
 * a port, and some write `unknown`. Otherwise it is the address of the connection.
 */
export function clientAddress(request: FastifyRequest): string {
  const known = ADDRESSES.get(request)
  if (known !== undefined) return known
  const address = readAddress(request)
  ADDRESSES.set(request, address)
  return address
}

function readAddress(request: FastifyRequest): string {
  // Undefined once the connection is closed, whatever Fastify's type says.
  const ip: string | undefined = request.ip
  const [, bracketed] = /^\[([^\]]+)\](?::\d+)?$/.exec(ip ?? '') ?? []
  const [, withPort] = /^([\d.]+):\d+$/.exec(ip ?? '') ?? []
  const reported = bracketed ?? withPort ?? ip ?? ''
  const address = isIP(reported) === 0 ? (request.socket.remoteAddress ?? (reported || UNKNOWN)) : reported
  return address.replace(/^::ffff:(?=\d+\.)/i, '')
}

/** The caller's network: an IPv4 address, or the /64 of an IPv6 address, because one caller owns the whole /64. */
export function clientNetwork(request: FastifyRequest): string {
  const address = clientAddress(request)
  if (!isIPv6(address)) return address
  const [head = '', tail] = address.split('%')[0]!.split('::')
  const groups = head === '' ? [] : head.split(':')
  const rest = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : 8 - groups.length - rest.length
  const whole = [...groups, ...Array<string>(Math.max(0, zeros)).fill('0'), ...rest]
  return `${whole
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}
