import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { Failure } from '../../../kernel/index.ts'
import { dataHeaders } from '../responses/security-headers.ts'
import { errorBody } from './send-error.ts'

/** Status and message for errors of Node's HTTP parser, which occur before there is a request. */
const CLIENT_ERRORS: Record<string, { status: number; message: string }> = {
  HPE_HEADER_OVERFLOW: { status: 431, message: 'The request headers are too large.' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'The request took too long to arrive.' },
}

/**
 * Responds to bytes that are not an HTTP request. There is no path to choose a surface by, so the error has core's
 * shape. The socket is closed, because later bytes cannot be separated from the broken request.
 */
export function sendClientError(error: NodeJS.ErrnoException, socket: Socket, requestId: string): void {
  // A failed TLS handshake: there is no channel to respond on.
  const isUnreadable = error.code?.startsWith('ERR_SSL_') || error.code?.startsWith('ERR_TLS_')
  if (isUnreadable || error.code === 'ECONNRESET' || !socket.writable || socket.destroyed) {
    socket.destroy()
    return
  }
  const clientError = CLIENT_ERRORS[error.code ?? ''] ?? { status: 400, message: 'The request is not valid HTTP.' }
  const failure = new Failure('VALIDATION_ERROR', { message: clientError.message })
  const body = JSON.stringify(errorBody('core', failure, requestId))
  socket.end(
    [
      `HTTP/1.1 ${clientError.status} ${STATUS_CODES[clientError.status]}`,
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      `x-request-id: ${requestId}`,
      ...Object.entries(dataHeaders()).map(([name, value]) => `${name}: ${value}`),
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  )
}
