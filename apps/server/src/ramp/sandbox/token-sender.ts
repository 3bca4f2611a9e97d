import type { Transact } from '../../database/index.ts'

/**
 * Tokens on the embedded chains, as the sandbox's provider moves them. Whoever has the chains' treasuries implements it.
 * Bytes are committed before they are sent (rule 5), through `transact`, whose work returns their hash: what they are
 * for is stored with them or not at all.
 */
export interface TokenSender {
  /** Whether this chain is embedded here. */
  serves(blockchain: string): boolean
  /** The address whose key follows from 32 secret bytes. */
  addressOf(blockchain: string, secret: Uint8Array): Promise<string>
  /** Tokens out of the chain's treasury; stored, then sent. Returns the hash. Errors: SIMULATION_FAILED, CHAIN_UNAVAILABLE. */
  pay(payment: TokenPayment, transact: Transact<string>): Promise<string>
  /**
   * Tokens out of an address whose secret we hold; stored, then sent. False while the address waits for gas, for which it
   * is to be called again. Errors: SIMULATION_FAILED, CHAIN_UNAVAILABLE.
   */
  returnTokens(payment: TokenPayment & { readonly secret: Uint8Array }, transact: Transact<string>): Promise<boolean>
  /** What became of stored bytes; sends them again where they are in no block. Error: CHAIN_UNAVAILABLE. */
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
 * `waiting`: not final yet. `final`: it is, and stands in the books. `failed`: it is in a block, and did nothing. `dead`:
 * it never lands, or its chain is not there any more.
 */
export type TokenTransferStatus = 'waiting' | 'final' | 'failed' | 'dead'
