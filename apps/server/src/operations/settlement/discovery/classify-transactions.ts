import { consumesNonce, type IncludedTransaction, matchesPlan } from '../../../chains/index.ts'
import type { OperationTransaction } from '../../lifecycle/states/transaction.ts'

/** One of our transactions that may still land, in the form in which the follower matches it. */
export interface Candidate {
  readonly organizationId: number
  readonly walletId: number
  readonly strategyId: number
  /** Whether its operation has ended. Of two plans with identical bytes, the unfinished one gets the landing. */
  readonly isOperationEnded: boolean
  readonly transaction: OperationTransaction
  /** All hashes linked to it. */
  readonly hashes: readonly string[]
}

/** What a block means for one candidate. */
export type Finding =
  | { readonly kind: 'landed'; readonly candidate: Candidate; readonly included: IncludedTransaction }
  /** A reported hash belongs to a different transaction than the planned one. */
  | { readonly kind: 'mismatch'; readonly candidate: Candidate; readonly included: IncludedTransaction }
  /** Another transaction used its nonce: its bytes are dead (rule 1). */
  | { readonly kind: 'displaced'; readonly candidate: Candidate; readonly included: IncludedTransaction }

/**
 * Matches a block's transactions with ours, without database or chain. A transaction with the planned sender, nonce,
 * destination, data and value is the planned one, whatever its hash (contract 8). Findings follow the order of the
 * block. Within one organization an included transaction matches at most one candidate. The candidates that it
 * displaces come first, which frees the nonce for the one that landed.
 */
export function classifyTransactions(
  included: readonly IncludedTransaction[],
  candidates: readonly Candidate[],
): Finding[] {
  const findings: Finding[] = []
  let open = [...candidates]
  for (const transaction of included) {
    const affected = open.filter(
      (candidate) => isSettledBy(candidate, transaction) || isOnlyHashOf(candidate, transaction, included),
    )
    const settled = new Set<Candidate>()
    for (const organizationId of new Set(affected.map((candidate) => candidate.organizationId))) {
      const own = affected
        .filter((candidate) => candidate.organizationId === organizationId)
        .sort(byPrecedence(transaction))
      const landed = own.find((candidate) => matchesPlan(candidate.transaction, transaction))
      for (const candidate of own) {
        settled.add(candidate)
        if (candidate === landed) continue
        const isReported =
          candidate.hashes.includes(transaction.hash) && !matchesPlan(candidate.transaction, transaction)
        findings.push({ kind: isReported ? 'mismatch' : 'displaced', candidate, included: transaction })
      }
      if (landed) findings.push({ kind: 'landed', candidate: landed, included: transaction })
    }
    open = open.filter((candidate) => !settled.has(candidate))
  }
  return findings
}

/**
 * Whether the included transaction decides the candidate's fate: it is the planned one, or it uses up its nonce. Where
 * there are no nonces, bytes are not displaced but expire (rule 1).
 */
function isSettledBy({ transaction }: Candidate, included: IncludedTransaction): boolean {
  return matchesPlan(transaction, included) || consumesNonce(transaction, included)
}

/** Whether only a reported hash points to the candidate, and no transaction of the block settles its bytes. */
function isOnlyHashOf(
  candidate: Candidate,
  { hash }: IncludedTransaction,
  included: readonly IncludedTransaction[],
): boolean {
  return candidate.hashes.includes(hash) && !included.some((other) => isSettledBy(candidate, other))
}

/** Orders candidates with identical bytes: unfinished operations first, then by linked hash, then the newest first. */
function byPrecedence(included: IncludedTransaction) {
  const rank = ({ isOperationEnded, hashes }: Candidate) =>
    (isOperationEnded ? 2 : 0) + (hashes.includes(included.hash) ? 0 : 1)
  return (a: Candidate, b: Candidate) => rank(a) - rank(b) || b.transaction.transactionId - a.transaction.transactionId
}
