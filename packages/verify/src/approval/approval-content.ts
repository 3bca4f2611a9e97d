import { createHash } from 'node:crypto'

/**
 * The content of an operation that approvers sign with their passkeys: everything that decides which money moves where.
 * The service builds it from the operation, the agent from the transaction that it verified and from its own lists.
 * The receiver is always the wallet. Nonce, fees and blockhash are not part of it: they change between the approval and
 * the bytes, and the agent caps the fees.
 */
export interface ApprovalContent {
  /** Keeps an approval of the sandbox from counting in live. */
  readonly environment: 'sandbox' | 'live'
  readonly organizationId: number
  readonly operationId: number
  readonly walletId: number
  readonly walletAddress: string
  /** Name of the chain, in lower case. */
  readonly blockchain: string
  readonly type: 'SUPPLY' | 'UNWIND'
  /** Address of the token. */
  readonly token: string
  /** Base units; 'all': the whole position, whatever it is worth. */
  readonly amount: bigint | 'all'
  /** Address of the venue: Aave's pool, the vault, or Kamino's reserve. */
  readonly venue: string
  readonly plannedAt: Date
}

const ADDRESS = /^[0-9A-Za-z]{1,100}$/
const CHAIN_NAME = /^[a-z0-9-]{1,50}$/

/**
 * The canonical text of a content: twelve lines in a fixed order, each ended by a line feed. No value can contain a line
 * feed, so two contents have the same text only if all values are equal. RangeError for a value that has no canonical
 * form.
 */
export function approvalText(content: ApprovalContent): string {
  const lines = [
    'weir approval 1',
    `environment: ${oneOf(content.environment, 'sandbox', 'live')}`,
    `organization: ${idText(content.organizationId)}`,
    `operation: ${idText(content.operationId)}`,
    `wallet: ${idText(content.walletId)}`,
    `address: ${addressText(content.walletAddress)}`,
    `blockchain: ${matching(content.blockchain, CHAIN_NAME)}`,
    `type: ${oneOf(content.type, 'SUPPLY', 'UNWIND')}`,
    `token: ${addressText(content.token)}`,
    `amount: ${amountText(content.amount)}`,
    `venue: ${addressText(content.venue)}`,
    `planned: ${content.plannedAt.toISOString()}`,
  ]
  return lines.map((line) => `${line}\n`).join('')
}

/** The WebAuthn challenge of an approval: SHA-256 of {@link approvalText} in base64url without padding. */
export function approvalChallenge(content: ApprovalContent): string {
  return createHash('sha256').update(approvalText(content), 'utf8').digest('base64url')
}

function oneOf(value: string, ...allowed: readonly string[]): string {
  if (allowed.includes(value)) return value
  throw new RangeError(`an approval cannot name ${value}`)
}

function idText(id: number): string {
  if (Number.isSafeInteger(id) && id > 0) return String(id)
  throw new RangeError(`${id} is not an id`)
}

function matching(value: string, pattern: RegExp): string {
  if (pattern.test(value)) return value
  throw new RangeError(`an approval cannot name ${JSON.stringify(value)}`)
}

/** Hexadecimal addresses differ in case only by their checksum; in base58 case matters. */
function addressText(address: string): string {
  const text = matching(address, ADDRESS)
  return /^0x[0-9a-f]*$/i.test(text) ? text.toLowerCase() : text
}

function amountText(amount: bigint | 'all'): string {
  if (amount === 'all') return amount
  if (amount > 0n) return amount.toString()
  throw new RangeError(`${amount} is not an amount`)
}
