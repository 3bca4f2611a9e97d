import { createHmac, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { Failure } from '../../../kernel/index.ts'

/** The header that asks a sign-in for a cookie, and the header with which unsafe requests prove their origin. */
const SESSION_MODE_HEADER = 'x-weir-session'
export const CSRF_HEADER = 'x-weir-csrf'

const SAFE = new Set(['GET', 'HEAD'])

/** The session of a browser: a cookie that no script can read, and what keeps other sites from using it. */
export interface SessionCookie {
  /** The value of `Set-Cookie`; the browser keeps it until it closes, the session ends by its own limits. */
  set(value: string): string
  clear(): string
  /** The value in a request; `undefined` if there is none, or more than one. */
  read(request: FastifyRequest): string | undefined
  /**
   * Refuses requests that another site may have caused: those whose browser says so, and unsafe ones without the token of
   * this session in the header. Throws FORBIDDEN with `details.reason` `cross_site_request` or `csrf_token_invalid`.
   */
  requireOwnRequest(request: FastifyRequest, value: string): void
  /** Refuses a request that a page of another origin may have sent. Throws FORBIDDEN (`cross_site_request`). */
  requireSameOrigin(request: FastifyRequest): void
}

/** Whether a sign-in asks for its session in a cookie. */
export function asksForCookie(request: FastifyRequest): boolean {
  return request.headers[SESSION_MODE_HEADER] === 'cookie'
}

/** What a page sends in the header with unsafe requests. It follows from the cookie, which no other site can read. */
export function csrfTokenOf(cookie: string): string {
  return createHmac('sha256', cookie).update('weir csrf token').digest('base64url')
}

/**
 * HttpOnly and SameSite=Strict. Over https the name has the prefix `__Host-`: another host of the same domain cannot set
 * it. Over http it contains the port, because cookies of one host are shared by all its ports.
 */
export function sessionCookie(publicUrl: string): SessionCookie {
  const { protocol, port, origin } = new URL(publicUrl)
  const isSecure = protocol === 'https:'
  const name = isSecure ? '__Host-weir-session' : `weir-session${port && `-${port}`}`
  const attributes = `Path=/; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`

  const requireSameOrigin = (request: FastifyRequest): void => {
    const { 'sec-fetch-site': site, origin: sender } = request.headers
    if (site === 'same-origin') return
    const isSafe = SAFE.has(request.method)
    // A reader's own navigation, and a client that is no browser.
    if (isSafe && (site === 'none' || (site === undefined && sender === undefined))) return
    // Browsers send no Sec-Fetch-Site over plain http to another machine.
    const isOwn = sender === origin || sender === `${request.protocol}://${request.host}`
    if (site !== undefined || !isOwn) {
      throw new Failure('FORBIDDEN', {
        message: 'A session cookie is accepted from the pages of this service only.',
        details: { reason: 'cross_site_request' },
      })
    }
  }

  return {
    set: (value) => `${name}=${value}; ${attributes}`,
    clear: () => `${name}=; Max-Age=0; ${attributes}`,
    read({ headers }) {
      const values = (headers.cookie ?? '').split(';').flatMap((pair) => {
        const [key, value = ''] = pair.trim().split('=', 2)
        return key === name ? [value] : []
      })
      return values.length === 1 && /^[0-9A-Za-z]{43}$/.test(values[0]!) ? values[0] : undefined
    },
    requireSameOrigin,
    requireOwnRequest(request, value) {
      requireSameOrigin(request)
      if (SAFE.has(request.method)) return
      const expected = Buffer.from(csrfTokenOf(value))
      const given = Buffer.from(String(request.headers[CSRF_HEADER] ?? ''))
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
        throw new Failure('FORBIDDEN', {
          message: `Send the csrfToken of GET /api/core/auth/browser-session in the header ${CSRF_HEADER}.`,
          details: { reason: 'csrf_token_invalid' },
        })
      }
    },
  }
}
