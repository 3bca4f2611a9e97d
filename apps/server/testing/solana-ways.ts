import type { TestSolana } from './solana.ts'

/** Both ways in which a ledger is followed: its blocks one after the other, and its known wallets; the chain of each. */
export const SOLANA_WAYS = Object.entries({
  'followed block by block': (solana: TestSolana) => solana.chain,
  'followed by its wallets': (solana: TestSolana) => solana.byWallets(),
})
