import { LENDING_PROGRAM } from '../jupiter-lend/index.ts'
import { liveStrategy } from './live-strategy.ts'
import type { VenueSeed } from './seed-catalogue.ts'

/**
 * Markets of Jupiter Lend with their share mints. Source: the vendor's SDK (npm `@jup-ag/lend` 0.0.107), which derives
 * them from the token; the same addresses are used in several public integrations. Every start compares token and share
 * mint with the market's account (confirmTokens).
 */
const MARKETS = [
  {
    token: 'USDC',
    tokenAddress: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
    lending: '2vVYHYM8VYnvZqQWpTJSj8o8DBf1wM8pVs3bsTgYZiqJ',
    shareMint: '9BEcn9aPEmhSPbPQeFGjidRiEKki46fVQDyPpSQXPA2D',
  },
  {
    token: 'USDT',
    tokenAddress: 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB',
    lending: 'F7tLdeF2YZZex9MR8HgGggyFiz7UU2UgUube2tmfwNPE',
    shareMint: 'Cmn4v2wipYV41dkakDvCgFJpxhtaaKt11NyWV8pjSE8A',
  },
] as const

export const LIVE_JUPITER_SEED: VenueSeed = {
  key: 'jupiter-lend:solana:main',
  name: 'Jupiter Lend',
  protocol: 'jupiter-lend',
  blockchain: 'solana',
  iconUrl: null,
  strategies: MARKETS.map(({ token, tokenAddress, lending, shareMint }) =>
    liveStrategy({
      key: `jupiter-lend:solana:${lending}`,
      name: `Jupiter Lend ${token}`,
      token,
      tokenAddress,
      // The fee payer is part of the bytes that the wallet signs.
      supportsGasSponsorship: false,
      params: { program: LENDING_PROGRAM, lending, shareMint },
    }),
  ),
}

/** Accounts that every transaction with these markets writes. */
export const JUPITER_WRITE_LOCKED: readonly string[] = MARKETS.map(({ lending }) => lending)
