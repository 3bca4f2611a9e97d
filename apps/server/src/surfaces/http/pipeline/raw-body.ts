import type { FastifyRequest } from 'fastify'
import { Failure, MAX_BODY_BYTES } from '../../../kernel/index.ts'
import type { App } from './app.ts'
import { type ParsedBody, parseBody } from './parse-body.ts'

const EMPTY_BODY = Buffer.alloc(0)

/**
 * Bodies are read as bytes, whatever they call themselves, and judged only after the look-up of the idempotency key: a
 * replay comes before the body's shape (contract 4). Too many bytes are refused while reading.
 */
export function readBodiesAsBytes(app: App): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_BODY_BYTES }, (_request, bytes, done) => {
    done(null, bytes)
  })
}

/** The body as it was sent; empty when there was none. */
export function rawBodyOf(request: FastifyRequest): Buffer {
  return Buffer.isBuffer(request.body) ? request.body : EMPTY_BODY
}

/** The body as JSON. Throws UNSUPPORTED_MEDIA_TYPE when there is one and it is not said to be plain JSON. */
export function parsedBodyOf(request: FastifyRequest): ParsedBody {
  const bytes = rawBodyOf(request)
  const type = request.headers['content-type']
  const encoding = request.headers['content-encoding'] ?? 'identity'
  const isJson = type !== undefined && /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type.trim())
  if ((bytes.length > 0 || type !== undefined) && !isJson) throw new Failure('UNSUPPORTED_MEDIA_TYPE')
  if (encoding.toLowerCase() !== 'identity')
    throw new Failure('UNSUPPORTED_MEDIA_TYPE', { message: 'Compressed request bodies are not supported.' })
  return parseBody(bytes)
}
