import type { FastifyRequest } from 'fastify'
import { Failure } from '../../kernel/index.ts'

const FORWARDING_HEADERS = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'] as const

/**
 * Refuses callers that are not on this machine: the request must come over loopback, name a loopback host, which keeps
 * out web pages that use DNS rebinding, and not be forwarded. Error: FORBIDDEN.
 */
export function requireLocalCaller(request: FastifyRequest): void {
  // A proxy on this machine forwards callers from anywhere, and may put its own name into Host.
  const isForwarded = FORWARDING_HEADERS.some((name) => request.headers[name] !== undefined)
  const isLocal =
    isLoopbackAddress(request.socket.remoteAddress ?? '') && isLoopbackHost(request.headers.host ?? '') && !isForwarded
  if (!isLocal) {
    throw new Failure('FORBIDDEN', {
      message: 'This endpoint accepts only callers on the same machine as the service.',
    })
  }
}

export function isLoopbackAddress(address: string): boolean {
  return address === '::1' || isLoopbackIPv4(address.replace(/^::ffff:/i, ''))
}

/** A Host header that names this machine, with or without a port. */
export function isLoopbackHost(host: string): boolean {
  const name = host.toLowerCase().replace(/:\d{1,5}$/, '')
  return name === 'localhost' || name === '[::1]' || isLoopbackIPv4(name)
}

function isLoopbackIPv4(text: string): boolean {
  return /^127(?:\.(?:25[0-5]|2[0-4]\d|1?\d?\d)){3}$/.test(text)
}
