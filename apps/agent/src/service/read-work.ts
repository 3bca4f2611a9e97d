import { ServiceError } from './service-error.ts'
import type { AgentAction, AgentTransaction } from './work.ts'

/** The longest lease that the interface knows is ten minutes. */
const LONGEST_LEASE_MS = 3_600_000
const LONGEST_TEXT = 200
const LONGEST_BYTES = 40_000

type Json = Readonly<Record<string, unknown>>

/**
 * Requires the form of a transaction before any part of the agent relies on it. Throws {@link ServiceError}, so the agent
 * polls again later, as for a service that does not respond.
 */
export function readTransaction(json: unknown): AgentTransaction | null {
  if (json === null) return null
  const { id, operationId, unsignedTx, metadata, claimedAt, leaseExpiresAt, leaseToken } = object(json)
  const { blockchain, walletId, walletAddress, amount, token, type, step, full, protocol } = object(metadata)
  const lease = Date.parse(String(leaseExpiresAt)) - Date.parse(String(claimedAt))
  demand([id, operationId, walletId].every(isId), 'its ids')
  demand(isText(unsignedTx, LONGEST_BYTES), 'its bytes')
  demand(
    [blockchain, walletAddress, amount, token, type].every((value) => isText(value)),
    'its metadata',
  )
  demand(
    [step, protocol, leaseToken].every((value) => value === undefined || isText(value)),
    'its optional fields',
  )
  demand(full === undefined || typeof full === 'boolean', 'full')
  demand(lease > 0 && lease <= LONGEST_LEASE_MS, 'its lease')
  return json as AgentTransaction
}

/** Requires the form of an action. Throws {@link ServiceError}. */
export function readAction(json: unknown): AgentAction | null {
  if (json === null) return null
  const { id, type, payload, createdAt, leaseToken, challenge } = object(json)
  demand(isId(id), 'its id')
  demand(isText(type), 'its type')
  demand(createdAt === undefined || isText(createdAt), 'its time')
  demand(leaseToken === undefined || isText(leaseToken), 'its lease')
  demand(challenge === undefined || isText(challenge, LONGEST_BYTES), 'its challenge')
  const { label } = object(payload)
  demand(label === undefined || isText(label, LONGEST_BYTES), 'its label')
  return json as AgentAction
}

function isId(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) > 0
}

function isText(value: unknown, longest = LONGEST_TEXT): boolean {
  return typeof value === 'string' && value.length <= longest
}

function object(json: unknown): Json {
  demand(typeof json === 'object' && json !== null && !Array.isArray(json), 'an object')
  return json as Json
}

function demand(holds: boolean, what: string): void {
  if (!holds) throw new ServiceError(0, 'UNREADABLE', `the service issued work in an unknown form: ${what}`)
}
