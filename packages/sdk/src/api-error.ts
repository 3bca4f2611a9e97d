import type { components } from './generated/openapi.ts'

export type ErrorCode = components['schemas']['ErrorCode']

/** Everything that the client throws, except the reason of an aborted signal. */
export class WeirError extends Error {
  /**
   * The `x-request-id` of the response, or the id that the client sent if there was no response. Empty in a
   * WebhookSignatureError: there the client sent nothing.
   */
  readonly requestId: string

  constructor(message: string, requestId: string, options?: ErrorOptions) {
    super(message, options)
    this.name = new.target.name
    this.requestId = requestId
  }
}

/** What an error response says. */
export interface ErrorFacts<Code extends string = string> {
  readonly code: Code
  readonly status: number
  readonly message: string
  readonly details: Readonly<Record<string, unknown>>
  readonly requestId: string
  readonly retryAfterMs: number | undefined
  readonly idempotencyKey?: string | undefined
}

/** An error that the service returned. Each code has a subclass, such as InsufficientBalanceError. */
export class ApiError<Code extends string = string> extends WeirError {
  /** Machine-readable; its meaning never changes. */
  readonly code: Code
  /** The HTTP status. */
  readonly status: number
  /** What the code documents, such as `required` and `available`. Empty if the response has none. */
  readonly details: Readonly<Record<string, unknown>>
  /** How long the service asked to wait before a retry. */
  readonly retryAfterMs: number | undefined
  /** The key that the request had, even if the client chose it: after a 5xx repeat the call with it, and it acts once. */
  readonly idempotencyKey: string | undefined

  constructor(facts: ErrorFacts<Code>) {
    super(facts.message, facts.requestId)
    this.code = facts.code
    this.status = facts.status
    this.details = facts.details
    this.retryAfterMs = facts.retryAfterMs
    this.idempotencyKey = facts.idempotencyKey
  }
}

export interface ConnectionErrorOptions extends ErrorOptions {
  readonly idempotencyKey?: string | undefined
}

/** No response of the service arrived: it may or may not have acted. */
export class ConnectionError extends WeirError {
  /** The key that the request had, even if the client chose it: repeat the call with it, and it acts once. */
  readonly idempotencyKey: string | undefined

  constructor(message: string, requestId: string, { idempotencyKey, ...options }: ConnectionErrorOptions = {}) {
    super(message, requestId, options)
    this.idempotencyKey = idempotencyKey
  }
}

/** No response arrived in time: the service may or may not have acted. */
export class TimeoutError extends ConnectionError {}

/**
 * The request took effect, but its first response was lost, and with it what the service returns only once: a repetition
 * has null there. What exists now is in `data`: revoke or replace it, or sign in again if it is a session.
 */
export class SecretLostError extends WeirError {
  /** The fields that are lost, such as `apiKey`. */
  readonly fields: readonly string[]
  /** The replayed response, such as the id and the name of a key. */
  readonly data: Readonly<Record<string, unknown>>

  constructor(fields: readonly string[], data: Readonly<Record<string, unknown>>, requestId: string) {
    const { id } = data
    const remedy = fields.includes('accessToken')
      ? 'sign in again'
      : typeof id === 'number'
        ? `revoke or replace what has the id ${id}`
        : 'replace it'
    super(
      `The request took effect, but ${fields.join(' and ')} was lost with the first response: ${remedy}.`,
      requestId,
    )
    this.fields = fields
    this.data = data
  }
}
