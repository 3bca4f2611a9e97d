import type { FastifyRequest } from 'fastify'
import { Failure, MAX_BODY_BYTES } from '../../../kernel/index.ts'
import type { App } from '../app.ts'
import { type ParsedBody, parseBody } from './parse-body.ts'

const EMPTY_BODY = Buffer.alloc(0)

/**
 * Reads bodies as bytes, whatever their content type, because they are validated only after the idempotency key lookup:
 * a replay takes precedence over the body's shape (contract 4). Bodies over the size limit are rejected while reading.
 */
export function readBodiesAsBytes(app: App): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_BODY_BYTES }, (_request, bytes, done) => {
    done(null, bytes)
  })
}

/** The body as it was sent; empty if there was none. */
export function rawBodyOf(request: FastifyRequest): Buffer {
  return Buffer.isBuffer(request.body) ? request.body : EMPTY_BODY
}

/** The body as JSON. Throws UNSUPPORTED_MEDIA_TYPE if it is present but not declared as uncompressed JSON. */
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
