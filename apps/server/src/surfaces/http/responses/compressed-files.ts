import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

export interface CompressedFile {
  readonly type: string
  readonly bytes: Buffer
  /** Changes with the content. */
  readonly etag: string
  /** The content encoding of `bytes`; absent if they are not compressed. */
  readonly encoding?: 'br' | 'gzip' | undefined
}

const ENCODINGS = ['br', 'gzip'] as const
const COMPRESSED_TYPES = new Set(['image/png'])

const compressors = {
  br: (bytes: Buffer) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }),
  gzip: (bytes: Buffer) => promisify(gzip)(bytes, { level: 6 }),
}

/** Files that never change while the process runs. Each is read and compressed once, when it is first requested. */
export class CompressedFiles {
  readonly #files = new Map<string, Promise<CompressedFile>>()

  /** In the best encoding that the client accepts. */
  get(
    { name, type, accepted }: { readonly name: string; readonly type: string; readonly accepted: string },
    content: () => Promise<Buffer>,
  ): Promise<CompressedFile> {
    const encoding = COMPRESSED_TYPES.has(type) ? undefined : bestEncoding(accepted)
    const key = `${encoding ?? ''} ${name}`
    const known = this.#files.get(key)
    if (known !== undefined) return known
    const file = content().then(async (bytes): Promise<CompressedFile> => {
      const etag = `W/"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`
      return { type, encoding, etag, bytes: encoding === undefined ? bytes : await compressors[encoding](bytes) }
    })
    // A file that could not be read is tried again.
    file.catch(() => this.#files.delete(key))
    this.#files.set(key, file)
    return file
  }
}

/** Of what a client accepts; `undefined`: no compression. */
export const bestEncoding = (accepted: string): CompressedFile['encoding'] =>
  ENCODINGS.find((each) => new RegExp(`\\b${each}\\b`).test(accepted))

export const encodingsOf = ({ headers }: FastifyRequest): string => String(headers['accept-encoding'] ?? '')

/** Sends the file, or 304 to a client that has it. */
export function sendFile(request: FastifyRequest, reply: FastifyReply, file: CompressedFile): FastifyReply {
  reply.header('etag', file.etag)
  if (reply.statusCode === 200 && request.headers['if-none-match'] === file.etag)
    return reply.code(304).header('vary', VARY).send()
  return sendBytes(reply, file)
}

/** Sends the file, whatever the client has: for a route that documents no 304. */
export function sendBytes(reply: FastifyReply, { type, encoding, bytes }: Omit<CompressedFile, 'etag'>): FastifyReply {
  reply.header('vary', VARY)
  if (encoding !== undefined) reply.header('content-encoding', encoding)
  return reply.type(type).serializer(identity).send(bytes)
}

const VARY = 'accept-encoding'

const identity = (payload: unknown): never => payload as never
