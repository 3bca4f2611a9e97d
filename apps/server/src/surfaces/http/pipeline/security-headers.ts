import type { FastifyReply } from 'fastify'

/** For API responses: browsers must not sniff, frame or cache them, or load anything from them. */
const DATA_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
}

/** For the service's own pages with scripts: everything from this origin, nothing from elsewhere. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self' 'unsafe-inline'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self' blob:",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

/** Sets the headers before the handler runs, so that a route can override them. */
export function setDataHeaders(reply: FastifyReply): void {
  reply.headers(DATA_HEADERS)
}

/** For routes that serve a page or its assets; `seconds` is how long a browser may cache the response. */
export function setPageHeaders(reply: FastifyReply, seconds = 0): void {
  reply.header('Content-Security-Policy', PAGE_POLICY)
  reply.header('Cache-Control', seconds > 0 ? `public, max-age=${seconds}` : 'no-cache')
}
