// Writes docs/errors.md from the registry that the service uses. A test compares the two.
import { writeFileSync } from 'node:fs'
import { ERRORS, type ErrorCode, statusOf } from '../../apps/server/src/kernel/errors.ts'
import { REQUEST_ARRIVAL_TIMEOUT_MS } from '../../apps/server/src/kernel/limits/requests.ts'
import { REASONS } from './error-reasons.ts'

const file = new URL('../../docs/errors.md', import.meta.url)

/** The content of `details`, for codes that have any. */
const DETAILS: Partial<Record<ErrorCode, string>> = {
  VALIDATION_ERROR:
    '`issues: [{path, message}]`, one per problem; only the first for a body over 16 KiB; none [without a request](#what-if-the-bytes-are-no-request)',
  INVALID_TOKEN_SYMBOL: '`availableTokens`, `requested`',
  INSUFFICIENT_BALANCE: '`required`, `available` in base units',
  INSUFFICIENT_GAS:
    '`token`, `required`, `available` in base units of the native coin; `reason` when no node accepts it',
  AMOUNT_OUT_OF_BOUNDS: '`minDeposit`, `maxDeposit` in base units; for the faucet `maxAmount`',
  STRATEGY_NOT_ACTIVE:
    '`reason`: `full` (its contracts are at their own cap), `frozen`, `paused` or `entry_fee`; absent if no strategy of the token takes deposits',
  OPERATION_EXPIRED: '`refresh`, the path of new bytes, if the nonce of the old ones was used',
  SIMULATION_FAILED:
    '`transaction`, the failing one, `reason`, as the contract returned it, and `failureCode`; `withdrawable` in base units where the strategy can pay only part; only `reason` when no node accepts it, for example for its low fee',
  TRANSACTION_MISMATCH: '`fields`, the parts that differ from the plan',
  UNAUTHORIZED: '`reason` of a failed sign-in, [as below](#which-reasons-are-there)',
  FORBIDDEN: '`reason` where more than a role or scope is missing, [as below](#which-reasons-are-there)',
  ALLOCATION_NOT_FOUND: '`reason` of a claim or revocation, [as below](#which-reasons-are-there)',
  CONFLICT: '`reason` where there is more than one, [as below](#which-reasons-are-there), with the fields named there',
  OPERATION_IN_PROGRESS: '`operationId` of that operation',
  RATE_LIMIT_EXCEEDED: '`retryAfterSeconds`, as in the `Retry-After` header',
  IDEMPOTENCY_CONFLICT: '`reason`: `request_in_progress`, the first request still runs, or `different_request`',
  RAMP_UNAVAILABLE: '`reason` `request_in_progress` while another request creates a recipient with this external id',
  NOT_READY:
    '`checks`, each `ok` or `failed`, and `stalled` jobs of a worker, from `/ready`; `reason` `not_replicated` where too few standbys acknowledge a write',
}

/** The expected content of docs/errors.md. */
export function errorsDocument(): string {
  const codes = Object.keys(ERRORS) as ErrorCode[]
  const rows = codes.map((code) => {
    const { message, remedy, retryable } = ERRORS[code]
    const [v1, core] = [statusOf(code, 'v1'), statusOf(code, 'core')]
    return `| \`${code}\` | ${v1 === core ? v1 : `${v1} on v1, ${core} on core`} | ${message} | ${remedy} | ${retryable ? 'yes' : ''} |`
  })
  const details = codes.flatMap((code) => (DETAILS[code] ? [`| \`${code}\` | ${DETAILS[code]} |`] : []))
  const reasons = Object.entries(REASONS).map(
    ([name, { codes: of, means, remedy }]) => `| \`${name}\` | ${of.join(', ')} | ${means} | ${remedy} |`,
  )
  return `# Errors

<!-- Written by scripts/documents/write-errors-doc.ts from the registry in apps/server/src/kernel/errors.ts. -->

An error has a stable code, a sentence for people that may change, and the id of the request, which is also in the header
\`x-request-id\` of every response and in each log line about the request.

\`\`\`jsonc
// v1: paths that begin with /v1
{"statusCode": 400, "message": "The balance is too low for this amount.", "code": "INSUFFICIENT_BALANCE",
 "details": {"required": "5000000", "available": "2000000"}, "requestId": "..."}

// core: everything else
{"code": "VALIDATION_ERROR", "message": "name must not be empty.",
 "details": {"issues": [{"path": "name", "message": "must not be empty"}]}, "requestId": "..."}
\`\`\`

## In which order is a request checked?

Credential, rate limit, scope, idempotency key, shape of the body, then the resource's own checks (see each endpoint in
\`/openapi.json\`). A refused request changes nothing.

## Which codes are there?

*Retry*: the same request can succeed later ([when](#when-should-i-retry)).

| Code | Status | Message | What to do | Retry |
|---|---|---|---|---|
${rows.join('\n')}

An endpoint may return a more specific message; code and status stay.

## What if the bytes are no request?

What does not arrive completely within ${REQUEST_ARRIVAL_TIMEOUT_MS / 1_000} s gets 408, headers that are too large get 431, and what is not HTTP gets 400, each
as \`VALIDATION_ERROR\` in the shape of core, without \`details\` and \`RateLimit-*\`. The connection ends.

## What is in \`details\`?

| Code | \`details\` |
|---|---|
${details.join('\n')}

\`INVALID_ADDRESS\` has none; if the chain is known, its message names the rule. An EVM address is 0x and 40 hexadecimal
digits, in mixed case with a valid EIP-55 checksum; a Solana address is base58 of 32 bytes.

## Which reasons are there?

\`details.reason\` says why a code was returned. Handle the code of a reason that you do not know.

| \`details.reason\` | Code | Means | What to do |
|---|---|---|---|
${reasons.join('\n')}

## When should I retry?

| Response | Retry |
|---|---|
| 429 | after \`Retry-After\` seconds; every response to a request has \`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\` |
| 409 \`OPERATION_IN_PROGRESS\` | when the operation named in \`details\` has ended |
| 409 \`IDEMPOTENCY_CONFLICT\` with \`request_in_progress\` | after \`Retry-After\` seconds, with the same key |
| 500, 503, or no response | after \`Retry-After\` seconds if the header is there, with the same [\`Idempotency-Key\`](idempotency.md) |
| everything else | only after the request, or its object, has changed |

A transaction that fails on chain is not a request error: see \`failureCode\` in [operations](operations.md#why-did-it-fail).
`
}

if (import.meta.main) writeFileSync(file, errorsDocument())
