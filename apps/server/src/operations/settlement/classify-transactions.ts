import { type IncludedTransaction, matchesPlan } from '../../chains/index.ts'
import type { OperationTransaction } from '../lifecycle/transaction.ts'

/** One of our transactions that may still land, as the follower looks for it. */
export interface Candidate {
  readonly organizationId: number
  readonly walletId: number
  readonly strategyId: number
  /** Whether its operation has ended: two plans may have had identical bytes, and the one that is alive gets them. */
  readonly isOperationEnded: boolean
  readonly transaction: OperationTransaction
  /** Every hash that stands for it. */
  readonly hashes: readonly string[]
}

/** What a block means for one candidate. */
export type Finding =
  | { readonly kind: 'landed'; readonly candidate: Candidate; readonly included: IncludedTransaction }
  /** A reported hash turned out to be another transaction than the plan. */
  | { readonly kind: 'mismatch'; readonly candidate: Candidate; readonly included: IncludedTransaction }
  /** Its nonce was used by something else: its bytes are dead (rule 1). */
  | { readonly kind: 'displaced'; readonly candidate: Candidate; readonly included: IncludedTransaction }

/**
 * Finds, without database or chain, what a block's transactions mean for ours. A transaction of the same sender and
 * nonce with the same destination, data and value is the planned one, whatever its hash (contract 8). Findings come in
 * the order of the block; within one organization an included transaction is at most one candidate's, and whatever it
 * displaced is told before it, so that the nonce is free when the one that landed takes it.
 */
export function classifyTransactions(
  included: readonly IncludedTransaction[],
  candidates: readonly Candidate[],
): Finding[] {
  const findings: Finding[] = []
  let open = [...candidates]
  for (const transaction of included) {
    const same = open.filter(
      (candidate) => concerns(candidate, transaction) || misleads(candidate, transaction, included),
    )
    const settled = new Set<Candidate>()
    for (const organizationId of new Set(same.map((candidate) => candidate.organizationId))) {
      const own = same
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
 * Its content; or, on EVM chains, its nonce or a later one of the same sender: after that, lower nonces can land no
 * more. On Solana nothing displaces anything: bytes die of age (rule 1).
 */
function concerns({ transaction }: Candidate, included: IncludedTransaction): boolean {
  if (included.family === 'svm') return matchesPlan(transaction, included)
  return transaction.sender === included.sender && transaction.nonce !== null && transaction.nonce <= included.nonce
}

/** Its hash only, which was reported for it; what the block really says about its bytes counts more. */
function misleads(candidate: Candidate, named: IncludedTransaction, included: readonly IncludedTransaction[]): boolean {
  return candidate.hashes.includes(named.hash) && !included.some((other) => concerns(candidate, other))
}

/** Whose an included transaction is, of several with identical bytes: the living one's, then by hash, then the newest. */
function byPrecedence(included: IncludedTransaction) {
  const rank = ({ isOperationEnded, hashes }: Candidate) =>
    (isOperationEnded ? 2 : 0) + (hashes.includes(included.hash) ? 0 : 1)
  return (a: Candidate, b: Candidate) => rank(a) - rank(b) || b.transaction.transactionId - a.transaction.transactionId
}
