import type { TestSolana } from './test-solana.ts'

/** Both ways to follow Solana, block by block or by known wallets, each with its chain. */
export const SOLANA_FOLLOW_MODES = Object.entries({
  'followed block by block': (solana: TestSolana) => solana.chain,
  'followed by its wallets': (solana: TestSolana) => solana.byWallets(),
})
