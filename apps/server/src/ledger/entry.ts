import type { LedgerAccount } from '../database/index.ts'
import { assert } from '../kernel/index.ts'

/** One line of an entry: a signed amount in base units on one account of one wallet and token. */
export interface LedgerPosting {
  readonly walletId: number
  readonly tokenAddress: string
  readonly account: LedgerAccount
  readonly amount: bigint
}

export const ENTRY_KINDS = [
  'reserve',
  'release',
  'cover',
  'supply',
  'unwind',
  'yield',
  'loss',
  'fee',
  'external_balance',
  'external_position',
  'reclassification',
  'exit',
  'chain_reset',
] as const
export type EntryKind = (typeof ENTRY_KINDS)[number]

/** One ledger entry. `source` names its cause and is unique: posting the same source twice is refused. */
export interface LedgerEntry {
  readonly organizationId: number
  readonly kind: EntryKind
  readonly source: string
  readonly operationId?: number
  readonly blockNumber?: number
  readonly at: Date
  readonly postings: readonly LedgerPosting[]
}

type Amounts = Partial<Record<LedgerAccount, bigint>>

/** Postings for one wallet and token from signed amounts by account; zeros are omitted. They must sum to zero. */
export function postings(walletId: number, tokenAddress: string, amounts: Amounts): LedgerPosting[] {
  const lines = Object.entries(amounts)
    .filter(([, amount]) => amount !== 0n)
    .map(([account, amount]) => ({ walletId, tokenAddress, account: account as LedgerAccount, amount }))
  assert(lines.reduce((sum, line) => sum + line.amount, 0n) === 0n, 'the postings of an entry sum to zero')
  return lines
}
