import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { Failure } from '../../../kernel/index.ts'
import { errorBody } from './send-error.ts'

/** What Node's parser refused before there was a request, and how it is told. */
const CLIENT_ERRORS: Record<string, { status: number; message: string }> = {
  HPE_HEADER_OVERFLOW: { status: 431, message: 'The request headers are too large.' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'The request took too long to arrive.' },
}

/**
 * Answers bytes that are no HTTP request. There is no path to choose a surface by, so it is core's shape. The socket is
 * closed: what follows on it cannot be told apart from the broken request.
 */
export function sendClientError(error: NodeJS.ErrnoException, socket: Socket, requestId: string): void {
  if (error.code === 'ECONNRESET' || !socket.writable || socket.destroyed) {
    socket.destroy()
    return
  }
  const refusal = CLIENT_ERRORS[error.code ?? ''] ?? { status: 400, message: 'The request is not valid HTTP.' }
  const failure = new Failure('VALIDATION_ERROR', { message: refusal.message })
  const body = JSON.stringify(errorBody('core', failure, requestId))
  socket.end(
    [
      `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}`,
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      `x-request-id: ${requestId}`,
      'x-content-type-options: nosniff',
      'cache-control: no-store',
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  )
}
