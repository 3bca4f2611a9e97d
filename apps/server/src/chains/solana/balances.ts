import type { BalanceQuery } from '../port/chain.ts'
import { requestRejected } from '../rpc/rpc.ts'
import { type AccountSnapshot, readAccounts } from './accounts.ts'
import { associatedTokenAddress } from './associated-token-address.ts'
import type { SolanaContext } from './context.ts'

/** Where a token account keeps its amount. */
export const TOKEN_AMOUNT_OFFSET = 64

/**
 * Balances in base units, in the order asked: of tokens, what the owner's associated account holds; of the native coin,
 * lamports, which are only told of the latest state.
 *
 * No node reads a past slot. What block `at` touched, it tells itself; the rest is read now and taken back by what
 * happened since then, so that it is exact (rule 7). Throws CHAIN_UNAVAILABLE where that cannot be done.
 */
export async function balances(context: SolanaContext, asked: readonly BalanceQuery[], at?: number): Promise<bigint[]> {
  const accounts = await Promise.all(
    asked.map(({ owner, token }) => (token === 'native' ? owner : associatedTokenAddress(owner, token))),
  )
  const left = at === undefined ? [] : await context.history.balancesAfter(at, accounts)
  const told = accounts.map((_, index) => (asked[index]!.token === 'native' ? undefined : left[index]))
  const missing = accounts.filter((_, index) => told[index] === undefined)
  const commitment = at === undefined ? 'confirmed' : context.final
  const readings = (missing.length === 0 ? [] : await readAccounts(context, missing, commitment)).values()
  const found = asked.map(({ token }, index) => {
    const known = told[index]
    if (known !== undefined) return known
    const reading = readings.next().value!
    if (token === 'native') return reading.account?.lamports ?? 0n
    return at === undefined ? amountIn(reading) : rewindBalance(context, accounts[index]!, reading, at)
  })
  return Promise.all(found)
}

async function rewindBalance(context: SolanaContext, account: string, reading: AccountSnapshot, at: number) {
  const { slot } = reading
  if (slot < at) throw requestRejected('getMultipleAccounts', `the node is at slot ${slot}, before ${at}`)
  const before = slot === at ? undefined : await context.history.balanceBefore(account, at, slot)
  return before ?? amountIn(reading)
}

/** An account that is not there holds nothing. */
function amountIn({ account }: AccountSnapshot): bigint {
  return account === undefined || account.data.length < TOKEN_AMOUNT_OFFSET + 8
    ? 0n
    : account.data.readBigUInt64LE(TOKEN_AMOUNT_OFFSET)
}
