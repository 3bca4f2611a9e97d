import { BlockedAddressError } from './guarded-agent.ts'

const MESSAGES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: 'The connection was closed before an answer came.',
  EPIPE: 'The connection was closed before an answer came.',
  ENOTFOUND: 'The host name is not known.',
  EAI_AGAIN: 'The host name could not be looked up.',
  EHOSTUNREACH: 'The host cannot be reached.',
  ENETUNREACH: 'The host cannot be reached.',
  ETIMEDOUT: 'There was no answer within 10 seconds.',
  UND_ERR_CONNECT_TIMEOUT: 'There was no answer within 10 seconds.',
  UND_ERR_HEADERS_TIMEOUT: 'There was no answer within 10 seconds.',
  UND_ERR_BODY_TIMEOUT: 'There was no answer within 10 seconds.',
  UND_ERR_SOCKET: 'The connection was closed before an answer came.',
}

/** Why no answer came, in a sentence that customers may read: it says nothing of the network that we stand in. */
export function describeError(error: unknown): string {
  if (error instanceof BlockedAddressError)
    return 'The address is private, local or reserved, and was not connected to.'
  if (!(error instanceof Error)) return UNKNOWN_ERROR
  if (error.name === 'TimeoutError') return 'There was no answer within 10 seconds.'
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (MESSAGES[code]) return MESSAGES[code]
  if (/^(ERR_TLS|ERR_SSL|CERT|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/.test(code))
    return 'TLS could not be set up: is the certificate valid?'
  if (error instanceof AggregateError && error.errors.length > 0) return describeError(error.errors[0])
  return error.cause === undefined ? UNKNOWN_ERROR : describeError(error.cause)
}

const UNKNOWN_ERROR = 'The request could not be sent.'
