import type { TransactionStatus } from '../../../database/index.ts'
import { type StateTransition, stateTable } from '../../../kernel/index.ts'
import type { AgentWorkEvent } from './agent-work-states.ts'

/**
 * The lifecycle of a transaction as data (contract 8, rules 1 and 2). `advance-transactions.ts` and
 * `advance-transactions-in-bulk.ts` run on this table, and no other code assigns the columns that make up a state. The
 * diagram in docs/transitions.md is generated from it.
 */
export type TransactionState = keyof typeof TRANSACTION_STATES

/**
 * Every state with the values that its row stores: the status that the interface shows, and whether issued bytes can
 * still land. The follower looks for such bytes in every block, even after the operation has ended.
 */
export const TRANSACTION_STATES = {
  planned: {
    status: 'unsigned',
    canStillLand: false,
    meaning: 'has no bytes; they are built when an agent leases it',
  },
  issued: {
    status: 'unsigned',
    canStillLand: true,
    meaning: 'its bytes were issued, and may be signed and sent at any time',
  },
  stale: {
    status: 'unsigned',
    canStillLand: false,
    meaning: 'its bytes are dead; the next request builds new ones',
  },
  submitted: { status: 'pending', canStillLand: true, meaning: 'submitted, and not in a block' },
  displaced: {
    status: 'pending',
    canStillLand: false,
    meaning: 'submitted, but its nonce is used at finality; it fails once no request is sending it',
  },
  included: { status: 'pending', canStillLand: true, meaning: 'in a block that is not final' },
  confirmed: { status: 'confirmed', canStillLand: false, meaning: 'final, and succeeded' },
  outstanding: {
    status: 'failed',
    canStillLand: true,
    meaning: 'failed, or not submitted before its operation ended; its bytes can still land',
  },
  landing_late: {
    status: 'failed',
    canStillLand: true,
    meaning: 'outstanding, and now in a block that is not final: a late landing if the block stays',
  },
  reverted: { status: 'failed', canStillLand: false, meaning: 'final, and reverted on the chain' },
  dead: { status: 'failed', canStillLand: false, meaning: 'failed, and none of its bytes can land' },
} as const satisfies Readonly<Record<string, TransactionStateInfo>>

interface TransactionStateInfo {
  readonly status: TransactionStatus
  readonly canStillLand: boolean
  /** Shown in docs/operations.md. */
  readonly meaning: string
}

export type TransactionEvent =
  | 'issued'
  | 'submitted'
  | 'replacement_issued'
  | 'refused'
  | 'refused_after_end'
  | 'included'
  | 'rolled_back'
  | 'confirmed'
  | 'reverted'
  | 'bytes_died'
  | 'found_landed'
  | 'failed'
  | 'failed_for_good'
  | 'operation_ended'
  | 'chain_reset'

export interface TransactionTransition extends StateTransition<TransactionState, TransactionEvent> {
  /** The event of the agent's work, applied in the same statement; not used for a client's transaction. */
  readonly work?: AgentWorkEvent
}

const t = (
  from: TransactionState,
  event: TransactionEvent,
  to: TransactionState,
  work?: AgentWorkEvent,
): TransactionTransition => ({ from, event, to, ...(work && { work }) })

/** A client's bytes are issued with the plan, an agent's with the first lease. */
export const INITIAL_TRANSACTION_STATES: readonly TransactionState[] = ['planned', 'issued']

export const TRANSACTIONS = stateTable([
  t('planned', 'issued', 'issued'),
  t('stale', 'issued', 'issued'),
  // With new fees, or after the caller promised not to use the old bytes.
  t('issued', 'issued', 'issued'),

  t('issued', 'submitted', 'submitted', 'submitted'),
  // An agent gets it again with higher fees, because no block includes it.
  t('submitted', 'replacement_issued', 'submitted'),
  // A replacement with higher fees.
  t('submitted', 'submitted', 'submitted', 'submitted'),
  t('displaced', 'submitted', 'submitted'),
  t('included', 'submitted', 'included'),
  // No node accepted it.
  t('submitted', 'refused', 'issued', 'refused'),
  t('displaced', 'refused', 'stale', 'refused'),
  t('submitted', 'refused_after_end', 'outstanding', 'failed'),
  t('displaced', 'refused_after_end', 'dead', 'failed'),

  // Found by sender, nonce and content, even if nobody reported it.
  t('issued', 'included', 'included', 'landed'),
  t('submitted', 'included', 'included', 'landed'),
  t('included', 'included', 'included'),
  t('outstanding', 'included', 'landing_late'),
  t('landing_late', 'included', 'landing_late'),
  t('included', 'rolled_back', 'submitted', 'rolled_back'),
  t('displaced', 'rolled_back', 'displaced', 'rolled_back'),
  t('landing_late', 'rolled_back', 'outstanding'),

  t('issued', 'confirmed', 'confirmed', 'landed'),
  t('submitted', 'confirmed', 'confirmed', 'landed'),
  t('included', 'confirmed', 'confirmed', 'landed'),
  t('outstanding', 'confirmed', 'confirmed'),
  t('landing_late', 'confirmed', 'confirmed'),
  t('issued', 'reverted', 'reverted', 'failed'),
  t('submitted', 'reverted', 'reverted', 'failed'),
  t('included', 'reverted', 'reverted', 'failed'),
  t('outstanding', 'reverted', 'reverted'),
  t('landing_late', 'reverted', 'reverted'),

  // Their nonce is used at finality, or their blockhash has expired.
  t('issued', 'bytes_died', 'stale'),
  t('submitted', 'bytes_died', 'displaced'),
  t('included', 'bytes_died', 'displaced'),
  t('outstanding', 'bytes_died', 'dead'),
  t('landing_late', 'bytes_died', 'dead'),

  // Only where lists prove that bytes are dead (rule 1): a block includes them, which these lists lacked.
  t('stale', 'found_landed', 'issued'),
  t('dead', 'found_landed', 'outstanding'),

  // No node knows it, no block included it in time, or a different transaction was sent in its place.
  t('issued', 'failed', 'outstanding', 'failed'),
  t('stale', 'failed', 'dead', 'failed'),
  t('submitted', 'failed', 'outstanding', 'failed'),
  t('included', 'failed', 'landing_late', 'failed'),
  t('displaced', 'failed', 'dead', 'failed'),
  t('submitted', 'failed_for_good', 'dead', 'failed'),
  t('included', 'failed_for_good', 'dead', 'failed'),
  t('displaced', 'failed_for_good', 'dead', 'failed'),

  t('planned', 'operation_ended', 'dead', 'failed'),
  t('issued', 'operation_ended', 'outstanding', 'failed'),
  t('stale', 'operation_ended', 'dead', 'failed'),
  t('submitted', 'chain_reset', 'dead', 'failed'),
  t('displaced', 'chain_reset', 'dead', 'failed'),
  t('included', 'chain_reset', 'dead', 'failed'),
  t('outstanding', 'chain_reset', 'dead'),
  t('landing_late', 'chain_reset', 'dead'),
])

/** States without a transition. A failed transaction whose bytes can still land is in none of them (rule 2). */
export const TERMINAL_TRANSACTION_STATES: readonly TransactionState[] = ['confirmed', 'reverted']

/** The columns that a state is derived from. */
export interface TransactionStateColumns {
  readonly state: TransactionStatus
  readonly can_still_land: boolean
  readonly unsigned_bytes: string | null
  readonly block_number: number | null
  readonly finalized_at: Date | null
}

/** The state of a stored transaction, from its status in the column `state` and the other columns. */
export function transactionStateOf(row: TransactionStateColumns): TransactionState {
  const { state: status, can_still_land: canStillLand } = row
  switch (status) {
    case 'unsigned':
      if (canStillLand) return 'issued'
      return row.unsigned_bytes ? 'stale' : 'planned'
    case 'pending':
      if (!canStillLand) return 'displaced'
      return row.block_number === null ? 'submitted' : 'included'
    case 'confirmed':
      return 'confirmed'
    case 'failed':
      if (canStillLand) return row.block_number === null ? 'outstanding' : 'landing_late'
      return row.finalized_at === null ? 'dead' : 'reverted'
  }
}
