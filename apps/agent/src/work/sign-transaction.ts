import { type Meaning, type Verdict, verify } from '@weir/verify'
import type { Node } from '../chains/index.ts'
import type { SignedTransaction } from '../journal/index.ts'
import type { AgentTransaction } from '../service/work.ts'
import { evmDigest, evmSigned, solanaMessage, solanaSigned } from '../sign/index.ts'
import { familyOf } from '../signers/index.ts'
import type { Parts } from './parts.ts'

/**
 * Verifies the bytes against the approved intent and the agent's own list, at the venue where the operation began. Where
 * limits apply, and where a part is stated in shares, the chain says what a withdrawal pays out; throws what the node throws.
 */
export function verifyTransaction(parts: Parts, node: Node, transaction: AgentTransaction): Promise<Verdict> {
  const { id, operationId, unsignedTx, metadata } = transaction
  const { blockchain, amount, token, type, step, full, protocol, walletAddress } = metadata
  return verify(
    unsignedTx,
    {
      blockchain,
      type: type as 'SUPPLY' | 'UNWIND',
      step,
      signer: walletAddress,
      token,
      amount,
      full,
      protocol,
      transactionId: id,
      venue: parts.journal.venueOf(operationId),
    },
    parts.allowList,
    isLimited(parts, blockchain, token) || (full !== true && mayStateShares(protocol))
      ? (meaning) => node.payout({ unsigned: unsignedTx, signer: walletAddress, token: meaning.token })
      : undefined,
  )
}

const STATED_IN_SHARES: ReadonlySet<string | undefined> = new Set([undefined, 'erc7540', 'kamino', 'share-vault'])

/** Whether a part of a position may be stated in shares; their worth is measured whatever the limits. */
const mayStateShares = (protocol: string | undefined): boolean => STATED_IN_SHARES.has(protocol)

/** Whether the amount that a withdrawal pays out matters; if not, it costs no request to the chain. */
function isLimited({ limits, approvers, allowList }: Parts, blockchain: string, token: string): boolean {
  const tokens = allowList.chains.find((chain) => chain.blockchain === blockchain)?.tokens ?? []
  return (
    approvers !== undefined ||
    limits.amounts.some((limit) => limit.token === token) ||
    tokens.some(({ symbol, maxAmount }) => symbol === token && maxAmount !== null)
  )
}

/** The meaning as one text, to compare and display. */
export function meaningText(meaning: Meaning): string {
  return JSON.stringify(plain(meaning))
}

export interface SigningRequest {
  readonly transaction: AgentTransaction
  readonly verified: Extract<Verdict, { ok: true }>
  /** The key under which the journal counts it. */
  readonly reservation: string
  /** Names of the people whose signed approvals the agent checked. */
  readonly approvedBy: readonly string[]
  readonly lost: AbortSignal
}

/**
 * Gets verified bytes signed, checks the signature, and combines both. Queries the chain first, so that an unavailable
 * node costs no signature. Throws what the signer and the node throw.
 */
export async function signTransaction(
  parts: Parts,
  node: Node,
  { transaction, verified, reservation, approvedBy, lost }: SigningRequest,
): Promise<SignedTransaction> {
  const { id, operationId, unsignedTx, leaseToken, metadata } = transaction
  const { blockchain, walletAddress } = metadata
  const { meaning, envelope } = verified
  const [genesis, height] = await Promise.all([node.genesis(), node.height()])
  const family = familyOf(blockchain)
  const payload = family === 'evm' ? Buffer.from(evmDigest(unsignedTx).slice(2), 'hex') : solanaMessage(unsignedTx)
  const signature = await parts.signer.sign(
    {
      blockchain,
      family,
      address: walletAddress,
      payload,
      unsigned: unsignedTx,
      transactionId: id,
      operationId,
      meaning: plain(meaning),
      approvedBy,
    },
    lost,
  )
  const signed =
    family === 'evm'
      ? await evmSigned(unsignedTx, signature, walletAddress)
      : solanaSigned(unsignedTx, signature, walletAddress)
  return {
    transactionId: id,
    operationId,
    blockchain,
    signer: walletAddress,
    unsigned: unsignedTx,
    ...signed,
    nonce: envelope.family === 'evm' ? envelope.nonce : null,
    meaning: meaningText(meaning),
    venue: meaning.venue,
    leaseToken: leaseToken ?? null,
    genesis,
    height,
    reservation,
  }
}

function plain(meaning: Meaning): Record<string, string | null> {
  return Object.fromEntries(Object.entries(meaning).map(([key, value]) => [key, value === null ? null : String(value)]))
}
