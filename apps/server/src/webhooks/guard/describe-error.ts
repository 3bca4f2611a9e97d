import { BlockedAddressError } from './guarded-agent.ts'

const MESSAGES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: 'The connection was closed before a response arrived.',
  EPIPE: 'The connection was closed before a response arrived.',
  ENOTFOUND: 'The host name does not exist.',
  EAI_AGAIN: 'The host name could not be resolved.',
  EHOSTUNREACH: 'The host is unreachable.',
  ENETUNREACH: 'The host is unreachable.',
  ETIMEDOUT: 'There was no response within 10 seconds.',
  UND_ERR_CONNECT_TIMEOUT: 'There was no response within 10 seconds.',
  UND_ERR_HEADERS_TIMEOUT: 'There was no response within 10 seconds.',
  UND_ERR_BODY_TIMEOUT: 'There was no response within 10 seconds.',
  UND_ERR_HEADERS_OVERFLOW: 'The response was too long.',
  RESPONSE_TOO_LONG: 'The response was too long.',
  UND_ERR_SOCKET: 'The connection was closed before a response arrived.',
}

/** Why there was no response, in a sentence for customers that reveals nothing about our network. */
export function describeError(error: unknown): string {
  if (error instanceof BlockedAddressError)
    return 'The address is private, local or reserved, so no connection was made.'
  if (!(error instanceof Error)) return UNKNOWN_ERROR
  if (error.name === 'TimeoutError') return 'There was no response within 10 seconds.'
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (MESSAGES[code]) return MESSAGES[code]
  if (/^(ERR_TLS|ERR_SSL|CERT|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/.test(code))
    return 'The TLS connection failed. Check that the certificate is valid.'
  if (error instanceof AggregateError && error.errors.length > 0) return describeError(error.errors[0])
  return error.cause === undefined ? UNKNOWN_ERROR : describeError(error.cause)
}

const UNKNOWN_ERROR = 'The request could not be sent.'
