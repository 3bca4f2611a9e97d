/**
 * The registry of errors: code, status on each surface, public message, whether a retry can help.
 *
 * A verb throws a {@link Failure}; the surfaces write its code, message and details in their own shape. Anything else
 * that is thrown is a defect: the client gets INTERNAL_ERROR, and the log gets the details (spec 7, contract 4).
 */
interface ErrorEntry {
  readonly status: number
  readonly message: string
  readonly retryable: boolean
}

const entry = (status: number, message: string, retryable = false): ErrorEntry => ({ status, message, retryable })

export const ERRORS = {
  VALIDATION_ERROR: entry(400, 'The request is not valid.'),
  INVALID_AMOUNT: entry(400, 'The amount must be a positive whole number of base units.'),
  INVALID_ADDRESS: entry(400, 'The wallet address is not valid.'),
  INVALID_TOKEN: entry(400, 'The token address is not recognized.'),
  INVALID_TOKEN_SYMBOL: entry(400, 'The token is not available here.'),
  INSUFFICIENT_BALANCE: entry(400, 'The balance is too low for this amount.'),
  INSUFFICIENT_GAS: entry(400, 'The wallet holds too little of the native token to pay the network fee.'),
  STRATEGY_NOT_ACTIVE: entry(400, 'The strategy does not accept deposits at the moment.'),
  TOKEN_MISMATCH: entry(400, 'The token does not match the strategy.'),
  AMOUNT_OUT_OF_BOUNDS: entry(400, "The amount is outside the strategy's deposit bounds."),
  OPERATION_EXPIRED: entry(400, 'The unsigned transaction has expired.'),
  OPERATION_ALREADY_SUBMITTED: entry(400, 'The transaction was already submitted.'),
  INVALID_OPERATION_STATUS: entry(400, 'The operation is not in a state that allows this.'),
  SIMULATION_FAILED: entry(400, 'The simulation of the transaction failed.'),
  TRANSACTION_MISMATCH: entry(400, 'The signed transaction differs from the planned one.'),
  KYB_NOT_APPROVED: entry(400, 'The verification (KYB) is not approved.'),
  RECIPIENT_ADDRESS_REQUIRED: entry(400, 'The recipient must have an address for this.'),
  RECIPIENT_ARCHIVED: entry(400, 'The recipient is archived.'),
  ASSET_NOT_SUPPORTED: entry(400, 'The ramp does not support this asset here.'),
  UNAUTHORIZED: entry(401, 'Missing or invalid credentials.'),
  INVALID_API_KEY: entry(401, 'The API key is missing or not recognized.'),
  API_KEY_DISABLED: entry(403, 'The API key was revoked.'),
  FORBIDDEN: entry(403, 'This credential does not allow that.'),
  SANDBOX_ONLY: entry(403, 'This is available in the sandbox only.'),
  NOT_FOUND: entry(404, 'Not found.'),
  WALLET_NOT_FOUND: entry(404, 'The wallet is not registered.'),
  VENUE_NOT_FOUND: entry(404, 'The venue does not exist.'),
  STRATEGY_NOT_FOUND: entry(404, 'The strategy does not exist.'),
  ALLOCATION_NOT_FOUND: entry(404, 'The wallet has no position there.'),
  OPERATION_NOT_FOUND: entry(404, 'The operation does not exist.'),
  TRANSACTION_NOT_FOUND: entry(404, 'The transaction does not exist.'),
  ORGANIZATION_NOT_FOUND: entry(404, 'The organization of this key was deleted.'),
  RECIPIENT_NOT_FOUND: entry(404, 'The recipient does not exist.'),
  ACCOUNT_NOT_FOUND: entry(404, 'The account does not exist.'),
  TOKEN_NOT_FOUND: entry(404, 'The token is not supported.'),
  METHOD_NOT_ALLOWED: entry(405, 'This path does not support that method.'),
  CONFLICT: entry(409, 'The request conflicts with an existing object.'),
  OPERATION_IN_PROGRESS: entry(409, 'Another operation of this wallet is in progress.', true),
  LEASE_LOST: entry(409, 'The lease has expired, passed to another agent, or never existed.'),
  IDEMPOTENCY_CONFLICT: entry(409, 'The idempotency key is in use, or was used for another request.'),
  PAYLOAD_TOO_LARGE: entry(413, 'The request body is too large.'),
  UNSUPPORTED_MEDIA_TYPE: entry(415, 'The request body must be JSON.'),
  RATE_LIMIT_EXCEEDED: entry(429, 'Too many requests. Try again later.', true),
  INTERNAL_ERROR: entry(500, 'Something went wrong on our side.', true),
  CHAIN_UNAVAILABLE: entry(503, 'The blockchain is unavailable. Nothing was changed.', true),
  RAMP_UNAVAILABLE: entry(503, 'No banking provider is available. Nothing was changed.', true),
  NOT_READY: entry(503, 'The service is not ready.', true),
} as const satisfies Record<string, ErrorEntry>

export type ErrorCode = keyof typeof ERRORS

/**
 * On core, a wrong state is a conflict (contract 4); v1 returns 400. Every other code has one status on both surfaces.
 */
export function statusOf(code: ErrorCode, surface: 'core' | 'v1'): number {
  if (code === 'INVALID_OPERATION_STATUS' && surface === 'core') return 409
  return ERRORS[code].status
}

/** JSON that an error response may carry with its code. */
export type ErrorDetails = Record<string, unknown>

/** Why a request was refused, and whom it concerns: for security events only. */
export interface Refusal {
  /** A snake_case word of docs/security-events.md. */
  readonly reason: string
  /** The organization whose account or key was presented. */
  readonly organizationId?: number
  readonly actor?: { readonly type: 'user' | 'key' | 'service_account'; readonly id: number }
}

/**
 * An operating error that surfaces can present. `cause` is for the log, `refusal` for security events; neither leaves
 * the service.
 */
export class Failure extends Error {
  override readonly name = 'Failure'
  readonly code: ErrorCode
  readonly details: ErrorDetails | undefined
  readonly refusal: Refusal | undefined

  constructor(
    code: ErrorCode,
    options: { message?: string; details?: ErrorDetails; cause?: unknown; refusal?: Refusal } = {},
  ) {
    super(options.message ?? ERRORS[code].message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.details = options.details
    this.refusal = options.refusal
  }
}

/** A VALIDATION_ERROR that names one field: `details.issues: [{path, message}]`. */
export function validationError(path: string, message: string, refusal?: Refusal): Failure {
  return new Failure('VALIDATION_ERROR', {
    message: `${path}: ${message}`,
    details: { issues: [{ path, message }] },
    ...(refusal && { refusal }),
  })
}

/** A check against programming errors: throws if the condition does not hold. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`assertion failed: ${message}`)
}
