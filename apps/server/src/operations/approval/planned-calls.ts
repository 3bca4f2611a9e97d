import { createHash } from 'node:crypto'
import { type CallPart, callParts } from '../../chains/index.ts'
import type { Environment } from '../../identity/index.ts'
import { assert, Failure } from '../../kernel/index.ts'
import type { Operation } from '../lifecycle/states/operation.ts'
import { addressText } from './approval-content.ts'

/** In lower-case hex, as long as the hash is. */
export const CALLS_HASH = /^[0-9a-f]{64}$/

/**
 * The canonical text of what an operation calls, as docs/approvals.md describes it: what an approver sees before the yes,
 * and what is issued after it. Nonce, fees, blockhash and memo are chosen when bytes are built and are no part of it. No
 * value can contain a line feed, so different calls have different texts.
 */
export function plannedCallsText(environment: Environment, operation: Operation): string {
  const { organizationId, operationId, transactions } = operation
  const [first] = transactions
  assert(first !== undefined, 'an operation has transactions')
  const lines = [
    'weir calls 1',
    `environment: ${environment}`,
    `organization: ${organizationId}`,
    `operation: ${operationId}`,
    `blockchain: ${first.blockchain}`,
    `wallet: ${addressText(first.sender)}`,
    ...transactions.flatMap(({ call }, index) => [`step: ${index + 1}`, ...callParts(call).flatMap(partLines)]),
  ]
  return lines.map((line) => `${line}\n`).join('')
}

function partLines({ contract, value, accounts = [], data }: CallPart): string[] {
  return [
    `contract: ${addressText(contract)}`,
    ...(value === undefined ? [] : [`value: ${value}`]),
    ...accounts.map(
      ({ address, signer, writable }) =>
        `account: ${addressText(address)}${signer ? ' signer' : ''}${writable ? ' writable' : ''}`,
    ),
    `data: ${data}`,
  ]
}

/** SHA-256 of the text in lower-case hex. */
export function plannedCallsHash(environment: Environment, operation: Operation): string {
  return createHash('sha256').update(plannedCallsText(environment, operation), 'utf8').digest('hex')
}

/**
 * Whether the calls are those that an approver saw. They never change while an operation waits, so a difference means
 * that something between the store and the approver's eyes showed others. Error: CONFLICT with `details.reason`
 * `calls_differ`.
 */
export function requireSeenCalls(environment: Environment, operation: Operation, seen: string | undefined): void {
  if (seen === undefined || seen === plannedCallsHash(environment, operation)) return
  throw new Failure('CONFLICT', {
    message: 'The operation no longer makes the calls that you reviewed. Do not approve it before you know why.',
    details: { reason: 'calls_differ' },
  })
}
