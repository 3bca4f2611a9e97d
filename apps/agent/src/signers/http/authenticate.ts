import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * The signature of a request or response: HMAC-SHA256, in hex, of the lines `subject`, `timestamp` (unix seconds) and the
 * body as sent. The subject of a request is its method and path, that of a response its status. The timestamp line of a
 * response carries the request's signature, which binds it to that request.
 */
export function hmac(secret: string, subject: string, timestamp: string, body: string): string {
  return `v1=${createHmac('sha256', secret).update(`${subject}\n${timestamp}\n${body}`).digest('hex')}`
}

export function sameSignature(a: string, b: string): boolean {
  const [one, other] = [Buffer.from(a), Buffer.from(b)]
  return one.length === other.length && timingSafeEqual(one, other)
}
