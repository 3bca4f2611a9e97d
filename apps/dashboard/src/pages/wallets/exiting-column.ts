import type { Schema } from '../../api/types.ts'
import { type Column, columnsFor } from '../../parts/columns.tsx'

type Wallet = Schema<'OperationalWallet'>
const { money } = columnsFor<Wallet>()

/** A column for what wallets requested back and have not claimed, where any of them did. */
export const exitingColumn = (
  wallets: readonly Wallet[] | undefined,
  token: (wallet: Wallet) => string | undefined = (wallet) => wallet.token,
): readonly Column<Wallet>[] =>
  wallets?.some(({ exitingBalance }) => exitingBalance !== undefined)
    ? [money('Exiting', ({ exitingBalance }) => exitingBalance ?? null, token, { wide: true })]
    : []
