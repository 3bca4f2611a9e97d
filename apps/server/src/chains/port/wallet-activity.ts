import type { Block } from './blocks.ts'

/** The scope of an activity: only transactions of these wallets and their token accounts are found. */
export interface TrackedAccounts {
  readonly wallets: readonly string[]
  /** The wallets for which transactions of the service may land. */
  readonly senders: readonly string[]
  /** Mints, including those of shares. */
  readonly tokens: readonly string[]
}

/** What tracked wallets did in final blocks. */
export interface FinalizedActivity {
  /** The slot that it leads to: the one asked for, or an earlier one, up to which all lists explain the balances. */
  readonly through: number
  /** Oldest first. */
  readonly blocks: Block[]
  /**
   * Tracked wallets whose blocks may lack transactions: with more than one read returns, which anyone can cause by
   * mentioning an address often, or with an amount that no transaction explains which the node knows.
   */
  readonly incomplete: readonly string[]
}

/**
 * The activity of known wallets on a cluster whose blocks are too large to be read one by one. It is read account by
 * account; the number of HTTP calls does not grow with the slots that passed.
 *
 * A returned block contains the transactions of the wallets in it, in order: every one that changed one of their token
 * accounts, and every one of the senders'. It omits only transactions that changed an account and changed it back while
 * no returned transaction touched it: those leave nothing to post.
 */
export interface WalletActivity {
  /**
   * Final blocks after one slot, up to another, or up to one before it that an earlier call asked for: lists of signatures
   * are late, and accounts may change in every slot. Throws CHAIN_UNAVAILABLE when the node lacks a part.
   */
  finalizedBlocks(tracked: TrackedAccounts, after: number, upTo: number): Promise<FinalizedActivity>
  /** Blocks that are not final and contain transactions of these senders, oldest first. */
  pendingBlocks(senders: readonly string[], after: number): Promise<Block[]>
  /**
   * The token accounts of a wallet whose amounts differ from what their listed transactions left there: nodes lack one
   * which may be in a block of the time asked about, so that nothing may be concluded from their lists. Throws
   * CHAIN_UNAVAILABLE when they cannot be compared.
   */
  findUnexplained(query: UnexplainedQuery): Promise<string[]>
}

export interface UnexplainedQuery {
  readonly wallet: string
  /** The mints of the accounts. */
  readonly tokens: readonly string[]
  readonly since: Date
  /** The height of the last block that matters. */
  readonly lastHeight: number
  /** A final block after that one. */
  readonly slot: number
}
