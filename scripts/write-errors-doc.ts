// Writes docs/errors.md from the registry that the service itself answers from. A test holds the two together.
import { writeFileSync } from 'node:fs'
import { ERRORS, type ErrorCode, statusOf } from '../apps/server/src/kernel/errors.ts'

const file = new URL('../docs/errors.md', import.meta.url)

/** What stands in `details`, where a code has any. */
const DETAILS: Partial<Record<ErrorCode, string>> = {
  VALIDATION_ERROR: '`issues: [{path, message}]`, one for each thing that is wrong',
  INSUFFICIENT_BALANCE: '`required`, `available` in base units',
  INSUFFICIENT_GAS: '`token`, `required`, `available` in base units of the native coin; `reason` when no node takes it',
  AMOUNT_OUT_OF_BOUNDS: '`minDeposit`, `maxDeposit` in base units; from the faucet `maxAmount`',
  OPERATION_EXPIRED: '`refresh`, where new bytes are to be had, when the nonce of the old ones was used',
  SIMULATION_FAILED:
    '`transaction`, the one that fails, `reason`, as the contract gave it, and `failureCode`; `reason` when no node takes it, because its fee is too low, for example',
  TRANSACTION_MISMATCH: '`fields`, the parts that differ from the plan',
  OPERATION_IN_PROGRESS: '`operationId`, the one in the way',
  RATE_LIMIT_EXCEEDED: '`retryAfterSeconds`, as in the `Retry-After` header',
  NOT_READY: '`checks`, each `ok` or `failed`, from `/ready`',
}

/** The whole document, as it must stand in docs/errors.md. */
export function errorsDocument(): string {
  const codes = Object.keys(ERRORS) as ErrorCode[]
  const rows = codes.map((code) => {
    const { message, retryable } = ERRORS[code]
    return `| \`${code}\` | ${statusOf(code, 'v1')} | ${statusOf(code, 'core')} | ${message} | ${retryable ? 'yes' : ''} |`
  })
  const details = codes.flatMap((code) => (DETAILS[code] ? [`| \`${code}\` | ${DETAILS[code]} |`] : []))
  return `# Errors

Written by \`node scripts/write-errors-doc.ts\` from the registry in \`apps/server/src/kernel/errors.ts\`.

A refusal tells a code, which never changes, a sentence for people, which may, and the id of the request. The same id is
the \`x-request-id\` header of every answer and stands in every log line about the request.

\`\`\`jsonc
// v1: paths that begin with /v1
{"statusCode": 400, "message": "The balance is too low for this amount.", "code": "INSUFFICIENT_BALANCE",
 "details": {"required": "5000000", "available": "2000000"}, "requestId": "..."}

// core: everything else
{"code": "VALIDATION_ERROR", "message": "name must not be empty.",
 "details": {"issues": [{"path": "name", "message": "must not be empty"}]}, "requestId": "..."}
\`\`\`

A request is judged in this order: credential, rate limit, scope, idempotency key, shape of the body, then the resource's
own checks, which each endpoint lists in \`/openapi.json\`. A refused request has changed nothing. No answer carries a
stack trace, SQL, or what a node or database said.

## Codes

*Retry* says whether the same request can succeed later without anything being changed by the caller.

| Code | Status on v1 | Status on core | Sentence | Retry |
|---|---|---|---|---|
${rows.join('\n')}

An endpoint may say a more exact sentence than the one above; the code and the status stay.

## Details

| Code | \`details\` |
|---|---|
${details.join('\n')}

\`INVALID_ADDRESS\` has none. An address on an EVM chain is 0x and 40 hexadecimal digits; where they are of mixed case, their
EIP-55 checksum must hold. On Solana it is base58 of 32 bytes. Where the chain is known, the message says which of them was
missed.

## When to try again

- **429**: after \`Retry-After\` seconds. \`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\` stand on every
  answer.
- **409 OPERATION_IN_PROGRESS**: when the operation named in \`details\` has ended.
- **500, 503, or no answer at all**: with the same \`Idempotency-Key\`, so that nothing happens twice
  ([idempotency](idempotency.md)).
- Everything else: not before the request, or what it is about, has changed.

Why a transaction failed on chain is no error of a request: see \`failureCode\` in [operations](operations.md).
`
}

if (import.meta.main) writeFileSync(file, errorsDocument())
