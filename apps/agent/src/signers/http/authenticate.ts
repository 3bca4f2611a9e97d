import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * The signature of a request or an answer: HMAC-SHA256, in hex, of the lines `subject`, `timestamp` (unix seconds) and the
 * body as it is sent. For a request the subject is method and path, for an answer its status; the answer's timestamp line
 * carries the request's signature, so that it answers this request and no other.
 */
export function hmac(secret: string, subject: string, timestamp: string, body: string): string {
  return `v1=${createHmac('sha256', secret).update(`${subject}\n${timestamp}\n${body}`).digest('hex')}`
}

export function sameSignature(a: string, b: string): boolean {
  const [one, other] = [Buffer.from(a), Buffer.from(b)]
  return one.length === other.length && timingSafeEqual(one, other)
}
