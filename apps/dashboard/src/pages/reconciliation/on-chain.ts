import type { Schema } from '../../api/types.ts'
import { difference, fromBaseUnits, sum } from '../../lib/money/money.ts'

type Break = Pick<Schema<'LedgerBreak'>, 'walletId' | 'token' | 'tokenDecimals' | 'amountBaseUnits'>
type Wallet = Pick<
  Schema<'OperationalWallet'>,
  'orgWalletId' | 'token' | 'tokenDecimals' | 'availableBalance' | 'reservedBalance'
>

interface Known {
  /** All breaks that are not closed, accepted ones too; undefined until they are all here. */
  readonly breaks: readonly Break[] | undefined
  /** Wallets whose ledger is not compared. */
  readonly quarantined: ReadonlySet<number> | undefined
}

/** What the ledger has in a wallet, reserved or not. */
export const inWallet = ({ availableBalance, reservedBalance }: Wallet): string =>
  sum([availableBalance, reservedBalance])

/**
 * What the chain has in a wallet: the ledger's amount, less what the ledger has more. Null where that is not known, as
 * of a wallet that is not compared.
 */
export function onChain(wallet: Wallet, { breaks, quarantined }: Known): string | null {
  if (breaks === undefined || quarantined === undefined || quarantined.has(wallet.orgWalletId)) return null
  const own = breaks.filter(({ walletId, token }) => walletId === wallet.orgWalletId && token === wallet.token)
  const more = sum(own.map(({ amountBaseUnits }) => fromBaseUnits(amountBaseUnits, wallet.tokenDecimals)))
  return difference(inWallet(wallet), more)
}
