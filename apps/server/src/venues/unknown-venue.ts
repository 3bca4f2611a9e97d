import { ContractUnavailableError } from './contract-unavailable.ts'
import type { Venue } from './port.ts'

/**
 * The venue of a protocol that a later version added to the catalogue (ADR 137). Its contracts count as unreadable, so
 * other strategies and wallets continue. What lands there cannot be settled, and its wallet is quarantined: a guess would
 * post wrong amounts.
 */
export function unknownVenue(protocol: string): Venue {
  const unreadable = async (): Promise<never> => {
    throw new ContractUnavailableError(protocol, 'this version, which does not know the protocol')
  }
  const unknown = (): never => {
    throw new Error(`this version does not know the protocol ${protocol}`)
  }
  return {
    protocol,
    // No token of its own: which token has its shares is unknown too.
    shareToken: ({ tokenAddress }) => tokenAddress,
    valueOf: unknown,
    acceptedTokens: async (_chain, strategies) => strategies.map(() => undefined),
    prices: unreadable,
    shares: unreadable,
    positions: unreadable,
    rates: unreadable,
    planSupply: unreadable,
    planUnwind: unreadable,
    netMovement: unknown,
  }
}
