import type { Schema } from '../../api/types.ts'
import { type Column, columnsFor } from '../../parts/columns.tsx'

type Wallet = Schema<'OperationalWallet'>
const { money } = columnsFor<Wallet>()
const column = money('Exiting', ({ exitingBalance }) => exitingBalance ?? null, undefined, { wide: true })

/** A column for what wallets requested back and have not claimed, where any of them did. */
export const exitingColumn = (wallets: readonly Wallet[] | undefined): readonly Column<Wallet>[] =>
  wallets?.some(({ exitingBalance }) => exitingBalance !== undefined) ? [column] : []
