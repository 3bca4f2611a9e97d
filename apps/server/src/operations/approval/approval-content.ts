import { createHash } from 'node:crypto'
import type { Database, Tx } from '../../database/index.ts'
import type { Environment } from '../../identity/index.ts'
import { assert } from '../../kernel/index.ts'
import { strategyById, venueAddress } from '../../venues/index.ts'
import { type Operation, publicTypeOf } from '../lifecycle/states/operation.ts'

/** What approvers sign of an operation: everything that decides which money moves where. */
export interface ApprovalContent {
  readonly environment: Environment
  readonly organizationId: number
  readonly operationId: number
  readonly walletId: number
  readonly walletAddress: string
  /** Name of the chain, in lower case. */
  readonly blockchain: string
  readonly type: 'SUPPLY' | 'UNWIND'
  /** Address of the token. */
  readonly token: string
  /** Base units; 'all': the whole position. */
  readonly amount: bigint | 'all'
  /** Address of the venue. */
  readonly venue: string
  readonly plannedAt: Date
}

const ADDRESS = /^[0-9A-Za-z]{1,100}$/
const CHAIN_NAME = /^[a-z0-9-]{1,50}$/

/** The content of an operation, from the operation itself, its wallet and its strategy. */
export async function readApprovalContent(
  db: Database | Tx,
  environment: Environment,
  operation: Operation,
): Promise<ApprovalContent> {
  const { organizationId, operationId, walletId, strategyId, type, amount, createdAt } = operation
  const wallet = await db
    .selectFrom('wallets')
    .select(['address', 'blockchain'])
    .where('organization_id', '=', organizationId)
    .where('id', '=', walletId)
    .executeTakeFirstOrThrow()
  const strategy = await strategyById(db, strategyId)
  assert(strategy !== undefined, 'an operation has a strategy')
  return {
    environment,
    organizationId,
    operationId,
    walletId,
    walletAddress: wallet.address,
    blockchain: wallet.blockchain,
    type: publicTypeOf(type),
    token: strategy.tokenAddress,
    amount: amount ?? 'all',
    venue: venueAddress(strategy),
    plannedAt: createdAt,
  }
}

/**
 * The canonical text of a content, as docs/agents-protocol.md describes it. The agent has an implementation of its own;
 * a test compares the two. No value can contain a line feed, so different contents have different texts.
 */
export function approvalText(content: ApprovalContent): string {
  const { amount, blockchain, plannedAt } = content
  assert(CHAIN_NAME.test(blockchain), 'an approval names a chain')
  assert(amount === 'all' || amount > 0n, 'an approval names an amount')
  const lines = [
    'weir approval 1',
    `environment: ${content.environment}`,
    `organization: ${content.organizationId}`,
    `operation: ${content.operationId}`,
    `wallet: ${content.walletId}`,
    `address: ${addressText(content.walletAddress)}`,
    `blockchain: ${blockchain}`,
    `type: ${content.type}`,
    `token: ${addressText(content.token)}`,
    `amount: ${amount}`,
    `venue: ${addressText(content.venue)}`,
    `planned: ${plannedAt.toISOString()}`,
  ]
  return lines.map((line) => `${line}\n`).join('')
}

/** The WebAuthn challenge of an approval: SHA-256 of its text in base64url. */
export function approvalChallenge(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('base64url')
}

/** Hexadecimal addresses differ in case only by their checksum; in base58 case matters. */
export function addressText(address: string): string {
  assert(ADDRESS.test(address), 'an approval names addresses')
  return /^0x[0-9a-f]*$/i.test(address) ? address.toLowerCase() : address
}
