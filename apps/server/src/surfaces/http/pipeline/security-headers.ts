import type { FastifyReply } from 'fastify'

/** For answers that are data: nothing may load, frame or keep them. */
const DATA_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
}

/** For a page of ours that runs its own script: everything from this origin, nothing from elsewhere. */
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

/** Set before the handler runs, so that a route may say otherwise. */
export function setDataHeaders(reply: FastifyReply): void {
  reply.headers(DATA_HEADERS)
}

/** For a route that answers a page or what a page loads; `seconds` is how long a browser may keep it. */
export function setPageHeaders(reply: FastifyReply, seconds = 0): void {
  reply.header('Content-Security-Policy', PAGE_POLICY)
  reply.header('Cache-Control', seconds > 0 ? `public, max-age=${seconds}` : 'no-cache')
}
