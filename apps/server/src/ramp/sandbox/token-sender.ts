import type { Transact } from '../../database/index.ts'

/**
 * Moves tokens on the embedded chains for the sandbox provider. Implemented by the room that owns the chains' treasuries.
 * Bytes are committed before they are sent (rule 5), through `transact`, whose work returns their hash: their purpose is
 * stored with them or not at all.
 */
export interface TokenSender {
  /** Whether the chain is embedded. */
  serves(blockchain: string): boolean
  /** The address whose key is derived from 32 secret bytes. */
  addressOf(blockchain: string, secret: Uint8Array): Promise<string>
  /** Pays tokens from the chain's treasury: stores, then sends. Returns the hash. Errors: SIMULATION_FAILED, CHAIN_UNAVAILABLE. */
  pay(payment: TokenPayment, transact: Transact<string>): Promise<string>
  /**
   * Returns tokens from an address whose secret is given: stores, then sends. False while the address waits for gas; call it
   * again then. Errors: SIMULATION_FAILED, CHAIN_UNAVAILABLE.
   */
  returnTokens(payment: TokenPayment & { readonly secret: Uint8Array }, transact: Transact<string>): Promise<boolean>
  /** The status of stored bytes; sends them again if they are not in a block. Error: CHAIN_UNAVAILABLE. */
  transferStatus(blockchain: string, hash: string): Promise<TokenTransferStatus>
}

export interface TokenPayment {
  readonly organizationId: number
  readonly blockchain: string
  readonly token: string
  readonly to: string
  /** Base units. */
  readonly amount: bigint
  readonly purpose: 'delivery' | 'deposit' | 'return'
}

/**
 * `waiting`: not final yet. `final`: final and in the ledger. `failed`: in a block without effect. `dead`: can no longer
 * land, or its chain no longer exists.
 */
export type TokenTransferStatus = 'waiting' | 'final' | 'failed' | 'dead'
