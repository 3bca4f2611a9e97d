import { KAMINO_PROGRAM } from '../kamino/index.ts'
import { JUPITER_WRITE_LOCKED } from './live-jupiter-seeds.ts'
import { liveStrategy } from './live-strategy.ts'
import type { VenueSeed } from './seed-catalogue.ts'

/**
 * Reserves of Kamino Lend's main market (`7u3HeHxYDLhnCoErrtycNokbQYbWGzLs6JSDqGAv5PfF`), with their share mints.
 * Source: the market's own pages, app.kamino.finance/lending/reserve/<market>/<reserve>, and the accounts as used in
 * several public integrations of the program. Every start compares market, token and share mint with the reserve's
 * account (confirmTokens).
 */
const RESERVES = [
  {
    token: 'USDC',
    tokenAddress: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
    reserve: 'D6q6wuQSrifJKZYpR1M8R4YawnLDtDsMmWM1NbBmgJ59',
    shareMint: 'B8V6WVjPxW1UGwVDfxH2d2r8SyT4cqn7dQRK6XneVa7D',
  },
  {
    token: 'USDT',
    tokenAddress: 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB',
    reserve: 'H3t6qZ1JkguCNTi9uzVKqQ7dvt2cum4XiXWom6Gn5e5S',
    shareMint: 'B8zf4kojJbwgCRKA7rLaLhRCZBGhgAJp8wPBVZZHMhSv',
  },
] as const

export const LIVE_SOLANA_SEED: VenueSeed = {
  key: 'kamino:solana:main',
  name: 'Kamino',
  protocol: 'kamino',
  blockchain: 'solana',
  iconUrl: null,
  strategies: RESERVES.map(({ token, tokenAddress, reserve, shareMint }) =>
    liveStrategy({
      key: `kamino:solana:${reserve}`,
      name: `Kamino ${token}`,
      token,
      tokenAddress,
      // The fee payer is part of the bytes that the wallet signs.
      supportsGasSponsorship: false,
      params: { program: KAMINO_PROGRAM, reserve, shareMint },
    }),
  ),
}

/** Accounts that every transaction with a live Solana venue writes: recent fees for them show what landing costs. */
export function liveWriteLockedAccounts(): string[] {
  return [...RESERVES.map(({ reserve }) => reserve), ...JUPITER_WRITE_LOCKED]
}
