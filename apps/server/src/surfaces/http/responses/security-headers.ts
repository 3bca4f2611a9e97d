import { createHash } from 'node:crypto'
import helmet, { type FastifyHelmetOptions } from '@fastify/helmet'
import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify'

type Headers = Readonly<Record<string, string>>
type Directives = Readonly<Record<string, readonly string[]>>

/** For API responses: a browser must not run, load or frame anything. */
const DATA_POLICY: Directives = {
  defaultSrc: ["'none'"],
  baseUri: ["'none'"],
  formAction: ["'none'"],
  frameAncestors: ["'none'"],
}

/** For the service's own pages: everything from this origin, and inline code by its hash only. */
const PAGE_POLICY: Directives = {
  defaultSrc: ["'none'"],
  scriptSrc: ["'self'"],
  styleSrc: ["'self'"],
  imgSrc: ["'self'", 'data:', 'blob:'],
  fontSrc: ["'self'", 'data:'],
  connectSrc: ["'self'"],
  workerSrc: ["'self'", 'blob:'],
  baseUri: ["'none'"],
  formAction: ["'self'"],
  frameAncestors: ["'none'"],
}

const HSTS = 'strict-transport-security'

/** The headers of each policy. The plugin would compute the same ones again for each request. */
const DATA = await headersOf({
  contentSecurityPolicy: { useDefaults: false, directives: mutable(DATA_POLICY) },
  xFrameOptions: { action: 'deny' },
})
const DATA_HEADERS: Headers = { ...without(DATA, HSTS), 'cache-control': 'no-store' }

/** The headers of all API responses; also for responses that are written without a reply. */
export const dataHeaders = (): Headers => DATA_HEADERS

/**
 * Sets the headers before the handler runs, so that a route can override them. Over TLS, by the service itself or a
 * trusted proxy, it tells browsers to use nothing else for a year.
 */
export function setDataHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.headers(DATA_HEADERS)
  if (request.protocol === 'https') reply.header(HSTS, DATA[HSTS])
}

export interface PageOptions {
  /** How long a browser may cache the response. */
  readonly cacheSeconds?: number
  /** The page, whose inline scripts and styles may run; nothing else inline does. */
  readonly html?: string
  /** Inline styles of any content: for a third-party script that writes its own. */
  readonly anyStyle?: boolean
  /** Inline styles that carry this nonce may apply. */
  readonly styleNonce?: string
  /** Scripts may turn text into markup only through the page's own policy, named `default`. */
  readonly trustedTypes?: boolean
  /** The address names the content, so it is never checked again. */
  readonly immutable?: boolean
}

/** For routes that serve a page or its assets. */
export function setPageHeaders(reply: FastifyReply, options: PageOptions = {}): void {
  const { cacheSeconds = 0, html = '', anyStyle, styleNonce, trustedTypes, immutable } = options
  const inlineStyles = styleNonce === undefined ? hashesOf('style', html) : [`'nonce-${styleNonce}'`]
  const policy = {
    ...PAGE_POLICY,
    scriptSrc: [...PAGE_POLICY.scriptSrc!, ...hashesOf('script', html)],
    styleSrc: [...PAGE_POLICY.styleSrc!, ...(anyStyle ? ["'unsafe-inline'"] : inlineStyles)],
    ...(trustedTypes ? { trustedTypes: ['default'], requireTrustedTypesFor: ["'script'"] } : {}),
  }
  reply.header('content-security-policy', policyText(policy))
  reply.header(
    'cache-control',
    cacheSeconds > 0 ? `public, max-age=${cacheSeconds}${immutable ? ', immutable' : ''}` : 'no-cache',
  )
}

/** The hashes of a page's inline elements, as a policy names them. */
function hashesOf(element: 'script' | 'style', html: string): string[] {
  const inline = html.matchAll(new RegExp(`<${element}\\b(?![^>]*\\ssrc=)[^>]*>([\\s\\S]*?)</${element}>`, 'g'))
  return [...inline].map(([, code = '']) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`)
}

function policyText(policy: Directives): string {
  const directive = ([name, values]: [string, readonly string[]]) =>
    [name.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`), ...values].join(' ')
  return Object.entries(policy).map(directive).join(';')
}

function mutable(policy: Directives): Record<string, string[]> {
  return Object.fromEntries(Object.entries(policy).map(([name, values]) => [name, [...values]]))
}

/** What the plugin sets for these options. */
async function headersOf(options: FastifyHelmetOptions): Promise<Headers> {
  const server = Fastify()
  await server.register(helmet, options)
  server.get('/', async () => '')
  const { headers } = await server.inject('/')
  await server.close()
  const unrelated = new Set(['content-type', 'content-length', 'date', 'connection'])
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (unrelated.has(name) ? [] : [[name, String(value)]])),
  )
}

function without(headers: Headers, name: string): Headers {
  return Object.fromEntries(Object.entries(headers).filter(([other]) => other !== name))
}
