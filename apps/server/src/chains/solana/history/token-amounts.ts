import { requestRejected } from '../../rpc/rpc.ts'
import type { TokenReading } from '../caches/balance-history.ts'
import { FINALIZED, type SolanaContext } from '../context.ts'
import { readAccounts } from '../reads/accounts.ts'
import { TOKEN_AMOUNT_OFFSET } from '../reads/balances.ts'

/** What token accounts hold at final slots, none of them before `minSlot`. Throws CHAIN_UNAVAILABLE for a node behind it. */
export async function readTokenAmounts(
  parts: Pick<SolanaContext, 'rpc'>,
  accounts: readonly string[],
  minSlot: number,
): Promise<TokenReading[]> {
  const options = { dataSlice: { offset: TOKEN_AMOUNT_OFFSET, length: 8 }, minContextSlot: minSlot }
  const readings = await readAccounts(parts, accounts, FINALIZED, options)
  return readings.map(({ slot, account: read }, index) => {
    if (slot < minSlot) throw requestRejected('getMultipleAccounts', `the node is at slot ${slot}, before ${minSlot}`)
    const amount = read === undefined || read.data.length < 8 ? 0n : read.data.readBigUInt64LE(0)
    return { account: accounts[index]!, slot, amount }
  })
}
