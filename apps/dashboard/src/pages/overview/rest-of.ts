import type { Answer } from '../../api/client.ts'
import type { Schema } from '../../api/types.ts'
import { difference, isZero, sum } from '../../lib/money/money.ts'

type Rows = Pick<Answer<readonly Pick<Schema<'OperationalWallet'>, 'totalBalance'>[]>, 'data' | 'total'>

/**
 * What addresses hold that are not operational, and operational ones in tokens that are not: with it the rows add up to
 * the total. Known where all rows are shown.
 */
export function restOf(
  wallets: Rows | undefined,
  totals: Pick<Schema<'WalletStats'>, 'totalBalance'> | undefined,
): string | undefined {
  if (wallets === undefined || totals === undefined || (wallets.total ?? 0) > wallets.data.length) return
  const rest = difference(totals.totalBalance, sum(wallets.data.map(({ totalBalance }) => totalBalance)))
  return isZero(rest) || rest.startsWith('-') ? undefined : rest
}
