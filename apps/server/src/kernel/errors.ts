/**
 * The registry of errors: code, status on each surface, public message, what its reader does about it, whether a retry
 * can help.
 *
 * A verb throws a {@link Failure}; the surfaces write its code, message and details in their own shape. Anything else
 * that is thrown is a defect: the client gets INTERNAL_ERROR, and the log gets the details (spec 7, contract 4).
 */
interface ErrorEntry {
  readonly status: number
  readonly message: string
  /** An imperative sentence, for docs/errors.md. */
  readonly remedy: string
  readonly retryable: boolean
}

const entry = (status: number, message: string, remedy: string, retryable = false): ErrorEntry => ({
  status,
  message,
  remedy,
  retryable,
})

export const ERRORS = {
  VALIDATION_ERROR: entry(400, 'The request is not valid.', 'Correct the fields that `details.issues` names.'),
  INVALID_AMOUNT: entry(
    400,
    'The amount must be a positive whole number of base units.',
    'Send base units as a string of digits, above 0.',
  ),
  INVALID_ADDRESS: entry(400, 'The wallet address is not valid.', 'Correct the address as the message says.'),
  INVALID_TOKEN: entry(
    400,
    'The token address is not recognized.',
    'Send the address of a token that the service supports on this chain.',
  ),
  INVALID_TOKEN_SYMBOL: entry(400, 'The token is not available here.', 'Send a symbol from `details.availableTokens`.'),
  INSUFFICIENT_BALANCE: entry(
    400,
    'The balance is too low for this amount.',
    'Send at most `details.available`, or fund the wallet.',
  ),
  INSUFFICIENT_GAS: entry(
    400,
    'The wallet holds too little of the native token to pay the network fee.',
    'Send native coins to the wallet.',
  ),
  STRATEGY_NOT_ACTIVE: entry(
    400,
    'The strategy does not accept deposits at the moment.',
    'Choose another strategy, or wait; withdrawals still work.',
  ),
  TOKEN_MISMATCH: entry(400, 'The token does not match the strategy.', 'Send the token of this strategy.'),
  AMOUNT_OUT_OF_BOUNDS: entry(
    400,
    "The amount is outside the strategy's deposit bounds.",
    'Send an amount within the bounds in `details`.',
  ),
  OPERATION_EXPIRED: entry(
    400,
    'The unsigned transaction has expired.',
    'Get new bytes from `details.refresh`, or plan again.',
  ),
  OPERATION_ALREADY_SUBMITTED: entry(
    400,
    'The transaction was already submitted.',
    'Follow the operation; a replacement must pay at least 10% more.',
  ),
  INVALID_OPERATION_STATUS: entry(
    400,
    'The operation is not in a state that allows this.',
    'Read the operation, and act on its state.',
  ),
  SIMULATION_FAILED: entry(
    400,
    'The simulation of the transaction failed.',
    'Read `details.reason`, and change the amount or plan again.',
  ),
  TRANSACTION_MISMATCH: entry(
    400,
    'The signed transaction differs from the planned one.',
    'Sign the planned bytes unchanged.',
  ),
  KYB_NOT_APPROVED: entry(400, 'The verification (KYB) is not approved.', 'Complete the verification first.'),
  RECIPIENT_ADDRESS_REQUIRED: entry(
    400,
    'The recipient must have an address for this.',
    'Add the recipient’s address.',
  ),
  RECIPIENT_ARCHIVED: entry(400, 'The recipient is archived.', 'Use another recipient.'),
  ASSET_NOT_SUPPORTED: entry(
    400,
    'The ramp does not support this asset here.',
    'Choose an asset and a chain that the ramp supports.',
  ),
  UNAUTHORIZED: entry(
    401,
    'Missing or invalid credentials.',
    'Sign in again, or send the credential that this endpoint takes.',
  ),
  INVALID_API_KEY: entry(
    401,
    'The API key is missing or not recognized.',
    'Send a key of this environment in `X-API-Key`.',
  ),
  API_KEY_DISABLED: entry(403, 'The API key was revoked or has expired.', 'Generate another key.'),
  FORBIDDEN: entry(
    403,
    'This credential does not allow that.',
    'Use a credential that allows this, or take the step that `details.reason` names.',
  ),
  SANDBOX_ONLY: entry(403, 'This is available in the sandbox only.', 'Do not send this request to a live service.'),
  NOT_FOUND: entry(
    404,
    'Not found.',
    'Check the path and the id; objects of other organizations are not found either.',
  ),
  WALLET_NOT_FOUND: entry(404, 'The wallet is not registered.', 'Register the wallet on this blockchain first.'),
  VENUE_NOT_FOUND: entry(404, 'The venue does not exist.', 'Take the id from `GET /v1/venues`.'),
  STRATEGY_NOT_FOUND: entry(404, 'The strategy does not exist.', 'Take the id from `GET /v1/venues`.'),
  ALLOCATION_NOT_FOUND: entry(
    404,
    'The wallet has no position there.',
    'Take strategy and wallet from `GET /v1/allocations`.',
  ),
  OPERATION_NOT_FOUND: entry(
    404,
    'The operation does not exist.',
    'Check the id, and that the credential sees the wallet.',
  ),
  TRANSACTION_NOT_FOUND: entry(
    404,
    'The transaction does not exist.',
    'Check the id, and that the credential sees the wallet.',
  ),
  ORGANIZATION_NOT_FOUND: entry(404, 'The organization of this key was deleted.', 'Use a key of another organization.'),
  RECIPIENT_NOT_FOUND: entry(404, 'The recipient does not exist.', 'Take the id from `GET /v1/ramp/recipients`.'),
  ACCOUNT_NOT_FOUND: entry(
    404,
    'The account does not exist.',
    'Take the id from the recipient’s accounts, or open one.',
  ),
  TOKEN_NOT_FOUND: entry(404, 'The token is not supported.', 'Send a supported symbol, such as USDC.'),
  METHOD_NOT_ALLOWED: entry(405, 'This path does not support that method.', 'Use a method from the `Allow` header.'),
  CONFLICT: entry(
    409,
    'The request conflicts with an existing object.',
    'Change the object or the request as the message or `details.reason` says.',
  ),
  OPERATION_IN_PROGRESS: entry(
    409,
    'Another operation of this wallet is in progress.',
    'Wait until `details.operationId` has ended, or cancel it.',
    true,
  ),
  LEASE_LOST: entry(
    409,
    'The lease has expired, passed to another agent, or never existed.',
    'Drop this work, and poll again.',
  ),
  IDEMPOTENCY_CONFLICT: entry(
    409,
    'The idempotency key is in use, or was used for another request.',
    'Use a new key for a different request, or repeat this one later.',
  ),
  PAYLOAD_TOO_LARGE: entry(413, 'The request body is too large.', 'Send at most 1 MiB.'),
  UNSUPPORTED_MEDIA_TYPE: entry(415, 'The request body must be JSON.', 'Send `content-type: application/json`.'),
  RATE_LIMIT_EXCEEDED: entry(
    429,
    'Too many requests. Try again later.',
    'Wait for the number of seconds in `Retry-After`.',
    true,
  ),
  INTERNAL_ERROR: entry(
    500,
    'Something went wrong on our side.',
    'Retry with the same `Idempotency-Key`; if the error persists, report `requestId`.',
    true,
  ),
  CHAIN_UNAVAILABLE: entry(
    503,
    'The blockchain is unavailable. Nothing was changed.',
    'Retry; if the error persists, check the RPC endpoints of the chain.',
    true,
  ),
  RAMP_UNAVAILABLE: entry(
    503,
    'No banking partner is available. Nothing was changed.',
    'Retry; if the error persists, check RAMP_PROVIDER and the banking partner.',
    true,
  ),
  NOT_READY: entry(503, 'The service is not ready.', 'Retry; if the error persists, read `/ready`.', true),
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

/** CONFLICT: what is in force is not what the author of a change read; `details` say what it is. */
export function versionConflict(
  inForce: { readonly version: number } | { readonly updatedAt: string | null },
): Failure {
  return new Failure('CONFLICT', {
    message: 'Somebody else changed it in the meantime. Read it again before you change it.',
    details: { reason: 'changed_meanwhile', ...inForce },
  })
}
