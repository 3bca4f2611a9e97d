export { ApiError, ConnectionError, type ErrorCode, SecretLostError, TimeoutError, WeirError } from './api-error.ts'
export type { CoreClient } from './core-client.ts'
export type { StreamOptions } from './event-stream.ts'
export {
  type ExecuteOptions,
  type Operation,
  OperationFailedError,
  type Signer,
  type TransactionToSign,
} from './execute.ts'
export * from './generated/errors.ts'
export type { components, operations } from './generated/openapi.ts'
export type { DataOf, InputOf, OperationId } from './operation-types.ts'
export type { CallOptions, ClientOptions, Hooks, RequestInfo } from './options.ts'
export type { PageCall } from './page-call.ts'
export type { DataWithResponse, ResponseCall } from './response-call.ts'
export type { V1Client } from './v1-client.ts'
export { createWebhooks, type ReceivedEvent, type WebhookEvent, WebhookSignatureError } from './webhooks.ts'
export { Weir } from './weir.ts'
