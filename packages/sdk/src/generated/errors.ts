// Written by `npm run generate -w @weir/sdk` from the OpenAPI document of the service. Do not edit.
import { ApiError } from '../api-error.ts'

export class AccountNotFoundError extends ApiError<'ACCOUNT_NOT_FOUND'> {}
export class AllocationNotFoundError extends ApiError<'ALLOCATION_NOT_FOUND'> {}
export class AmountOutOfBoundsError extends ApiError<'AMOUNT_OUT_OF_BOUNDS'> {}
export class ApiKeyDisabledError extends ApiError<'API_KEY_DISABLED'> {}
export class AssetNotSupportedError extends ApiError<'ASSET_NOT_SUPPORTED'> {}
export class ChainUnavailableError extends ApiError<'CHAIN_UNAVAILABLE'> {}
export class ConflictError extends ApiError<'CONFLICT'> {}
export class ForbiddenError extends ApiError<'FORBIDDEN'> {}
export class IdempotencyConflictError extends ApiError<'IDEMPOTENCY_CONFLICT'> {}
export class InsufficientBalanceError extends ApiError<'INSUFFICIENT_BALANCE'> {}
export class InsufficientGasError extends ApiError<'INSUFFICIENT_GAS'> {}
export class InternalError extends ApiError<'INTERNAL_ERROR'> {}
export class InvalidAddressError extends ApiError<'INVALID_ADDRESS'> {}
export class InvalidAmountError extends ApiError<'INVALID_AMOUNT'> {}
export class InvalidApiKeyError extends ApiError<'INVALID_API_KEY'> {}
export class InvalidOperationStatusError extends ApiError<'INVALID_OPERATION_STATUS'> {}
export class InvalidTokenError extends ApiError<'INVALID_TOKEN'> {}
export class InvalidTokenSymbolError extends ApiError<'INVALID_TOKEN_SYMBOL'> {}
export class KybNotApprovedError extends ApiError<'KYB_NOT_APPROVED'> {}
export class LeaseLostError extends ApiError<'LEASE_LOST'> {}
export class MethodNotAllowedError extends ApiError<'METHOD_NOT_ALLOWED'> {}
export class NotFoundError extends ApiError<'NOT_FOUND'> {}
export class NotReadyError extends ApiError<'NOT_READY'> {}
export class OperationAlreadySubmittedError extends ApiError<'OPERATION_ALREADY_SUBMITTED'> {}
export class OperationExpiredError extends ApiError<'OPERATION_EXPIRED'> {}
export class OperationInProgressError extends ApiError<'OPERATION_IN_PROGRESS'> {}
export class OperationNotFoundError extends ApiError<'OPERATION_NOT_FOUND'> {}
export class OrganizationNotFoundError extends ApiError<'ORGANIZATION_NOT_FOUND'> {}
export class PayloadTooLargeError extends ApiError<'PAYLOAD_TOO_LARGE'> {}
export class RampUnavailableError extends ApiError<'RAMP_UNAVAILABLE'> {}
export class RateLimitExceededError extends ApiError<'RATE_LIMIT_EXCEEDED'> {}
export class RecipientAddressRequiredError extends ApiError<'RECIPIENT_ADDRESS_REQUIRED'> {}
export class RecipientArchivedError extends ApiError<'RECIPIENT_ARCHIVED'> {}
export class RecipientNotFoundError extends ApiError<'RECIPIENT_NOT_FOUND'> {}
export class SandboxOnlyError extends ApiError<'SANDBOX_ONLY'> {}
export class SimulationFailedError extends ApiError<'SIMULATION_FAILED'> {}
export class StrategyNotActiveError extends ApiError<'STRATEGY_NOT_ACTIVE'> {}
export class StrategyNotFoundError extends ApiError<'STRATEGY_NOT_FOUND'> {}
export class TokenMismatchError extends ApiError<'TOKEN_MISMATCH'> {}
export class TokenNotFoundError extends ApiError<'TOKEN_NOT_FOUND'> {}
export class TransactionMismatchError extends ApiError<'TRANSACTION_MISMATCH'> {}
export class TransactionNotFoundError extends ApiError<'TRANSACTION_NOT_FOUND'> {}
export class UnauthorizedError extends ApiError<'UNAUTHORIZED'> {}
export class UnsupportedMediaTypeError extends ApiError<'UNSUPPORTED_MEDIA_TYPE'> {}
export class ValidationError extends ApiError<'VALIDATION_ERROR'> {}
export class VenueNotFoundError extends ApiError<'VENUE_NOT_FOUND'> {}
export class WalletNotFoundError extends ApiError<'WALLET_NOT_FOUND'> {}

/** The class of each error code. */
export const ERROR_CLASSES = {
  ACCOUNT_NOT_FOUND: AccountNotFoundError,
  ALLOCATION_NOT_FOUND: AllocationNotFoundError,
  AMOUNT_OUT_OF_BOUNDS: AmountOutOfBoundsError,
  API_KEY_DISABLED: ApiKeyDisabledError,
  ASSET_NOT_SUPPORTED: AssetNotSupportedError,
  CHAIN_UNAVAILABLE: ChainUnavailableError,
  CONFLICT: ConflictError,
  FORBIDDEN: ForbiddenError,
  IDEMPOTENCY_CONFLICT: IdempotencyConflictError,
  INSUFFICIENT_BALANCE: InsufficientBalanceError,
  INSUFFICIENT_GAS: InsufficientGasError,
  INTERNAL_ERROR: InternalError,
  INVALID_ADDRESS: InvalidAddressError,
  INVALID_AMOUNT: InvalidAmountError,
  INVALID_API_KEY: InvalidApiKeyError,
  INVALID_OPERATION_STATUS: InvalidOperationStatusError,
  INVALID_TOKEN: InvalidTokenError,
  INVALID_TOKEN_SYMBOL: InvalidTokenSymbolError,
  KYB_NOT_APPROVED: KybNotApprovedError,
  LEASE_LOST: LeaseLostError,
  METHOD_NOT_ALLOWED: MethodNotAllowedError,
  NOT_FOUND: NotFoundError,
  NOT_READY: NotReadyError,
  OPERATION_ALREADY_SUBMITTED: OperationAlreadySubmittedError,
  OPERATION_EXPIRED: OperationExpiredError,
  OPERATION_IN_PROGRESS: OperationInProgressError,
  OPERATION_NOT_FOUND: OperationNotFoundError,
  ORGANIZATION_NOT_FOUND: OrganizationNotFoundError,
  PAYLOAD_TOO_LARGE: PayloadTooLargeError,
  RAMP_UNAVAILABLE: RampUnavailableError,
  RATE_LIMIT_EXCEEDED: RateLimitExceededError,
  RECIPIENT_ADDRESS_REQUIRED: RecipientAddressRequiredError,
  RECIPIENT_ARCHIVED: RecipientArchivedError,
  RECIPIENT_NOT_FOUND: RecipientNotFoundError,
  SANDBOX_ONLY: SandboxOnlyError,
  SIMULATION_FAILED: SimulationFailedError,
  STRATEGY_NOT_ACTIVE: StrategyNotActiveError,
  STRATEGY_NOT_FOUND: StrategyNotFoundError,
  TOKEN_MISMATCH: TokenMismatchError,
  TOKEN_NOT_FOUND: TokenNotFoundError,
  TRANSACTION_MISMATCH: TransactionMismatchError,
  TRANSACTION_NOT_FOUND: TransactionNotFoundError,
  UNAUTHORIZED: UnauthorizedError,
  UNSUPPORTED_MEDIA_TYPE: UnsupportedMediaTypeError,
  VALIDATION_ERROR: ValidationError,
  VENUE_NOT_FOUND: VenueNotFoundError,
  WALLET_NOT_FOUND: WalletNotFoundError,
} as const
