import type { TestSolana } from './test-solana.ts'

/** Both ways in which a ledger is followed: its blocks one after the other, and its known wallets; the chain of each. */
export const SOLANA_FOLLOW_MODES = Object.entries({
  'followed block by block': (solana: TestSolana) => solana.chain,
  'followed by its wallets': (solana: TestSolana) => solana.byWallets(),
})
