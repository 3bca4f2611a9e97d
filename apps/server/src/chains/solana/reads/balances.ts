import type { BalanceQuery } from '../../port/chain.ts'
import { requestRejected } from '../../rpc/rpc.ts'
import { associatedTokenAddress } from '../addresses/associated-token-address.ts'
import type { SolanaContext } from '../context.ts'
import { type AccountSnapshot, readAccounts } from './accounts.ts'

/** The offset of the amount in a token account. */
export const TOKEN_AMOUNT_OFFSET = 64

/**
 * Balances in base units, in query order: for a token, the balance of the owner's associated account; for the native
 * coin, lamports, which are available for the latest state only.
 *
 * No node reads a past slot. Accounts that block `at` touched come from the block itself; the others are read now and
 * their changes since then are undone, so that the result is exact (rule 7). Throws CHAIN_UNAVAILABLE when that is not
 * possible.
 */
export async function balances(
  context: SolanaContext,
  queries: readonly BalanceQuery[],
  at?: number,
  atLeast?: number,
): Promise<bigint[]> {
  const accounts = await Promise.all(
    queries.map(({ owner, token }) => (token === 'native' ? owner : associatedTokenAddress(owner, token))),
  )
  const fromBlock = at === undefined ? [] : await context.history.balancesAfter(at, accounts)
  const atBlock = accounts.map((_, index) => (queries[index]!.token === 'native' ? undefined : fromBlock[index]))
  const missing = accounts.filter((_, index) => atBlock[index] === undefined)
  const commitment = at === undefined ? 'confirmed' : context.final
  const lowestSlot = atLeast === undefined ? {} : { minContextSlot: atLeast }
  const readings = (missing.length === 0 ? [] : await readAccounts(context, missing, commitment, lowestSlot)).values()
  const found = queries.map(({ token }, index) => {
    const blockBalance = atBlock[index]
    if (blockBalance !== undefined) return blockBalance
    const reading = readings.next().value!
    if (token === 'native') return reading.account?.lamports ?? 0n
    return at === undefined ? amountIn(reading) : rewindBalance(context, accounts[index]!, reading, at)
  })
  return Promise.all(found)
}

async function rewindBalance(context: SolanaContext, account: string, reading: AccountSnapshot, at: number) {
  const { slot } = reading
  if (slot < at) throw requestRejected('getMultipleAccounts', `the node is at slot ${slot}, before ${at}`)
  const amount = amountIn(reading)
  const before = slot === at ? undefined : await context.history.balanceBefore({ account, slot, amount }, at)
  return before ?? amount
}

/** An account that does not exist holds nothing. */
function amountIn({ account }: AccountSnapshot): bigint {
  return account === undefined || account.data.length < TOKEN_AMOUNT_OFFSET + 8
    ? 0n
    : account.data.readBigUInt64LE(TOKEN_AMOUNT_OFFSET)
}
