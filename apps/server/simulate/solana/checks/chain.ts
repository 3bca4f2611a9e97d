import { readWallets, settledBlockOf } from '../../checks/chain.ts'
import { Violation } from '../../violation.ts'
import type { SolanaRun } from '../solana-run.ts'
import { MARKETS } from '../world/market.ts'

/**
 * The ledger of every reconciled wallet matches the cluster at the last settled block, or an open break explains the
 * difference (rule 7 and 8). Reads the cluster directly, bypassing faulty nodes.
 */
export async function checkChain(run: SolanaRun): Promise<void> {
  const { cluster, accounts } = run
  for (const wallet of await readWallets(run)) {
    const slot = settledBlockOf(wallet)
    if (slot === undefined) continue
    const state = cluster.stateAt(slot)
    const own = `wallet ${wallet.id} at slot ${slot}`
    for (const { token, available, reserved, missing } of wallet.balances) {
      const recorded = BigInt(available) + BigInt(reserved) - BigInt(missing)
      const chain = state.amount(accounts.of(wallet.address, token))
      if (recorded !== chain)
        throw new Violation(`${own} has ${recorded} of ${token} in the ledger and ${chain} on chain`)
      if (BigInt(missing) > 0n && BigInt(available) > 0n)
        throw new Violation(`${own} has ${token} available while a break is open`)
    }
    for (const { key, shareMint } of MARKETS) {
      const recorded = BigInt(wallet.positions.find(({ strategy }) => strategy === key)?.shares ?? 0)
      const chain = state.amount(accounts.of(wallet.address, shareMint))
      if (recorded !== chain)
        throw new Violation(`${own} has ${recorded} shares of ${key} in the ledger and ${chain} on chain`)
    }
  }
}
