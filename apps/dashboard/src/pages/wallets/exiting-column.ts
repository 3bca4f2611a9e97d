import type { Schema } from '../../api/types.ts'
import { type Column, columnsFor } from '../../parts/tables/columns.tsx'

type Wallet = Schema<'OperationalWallet'>
const { money } = columnsFor<Wallet>()
/** What wallets requested back and have not claimed; shown where one of these has any, and always in the CSV of all. */
export const exitingColumn = (shown: readonly Wallet[] | undefined): Column<Wallet> =>
  money(
    'Exiting',
    ({ exitingBalance }) => exitingBalance ?? null,
    undefined,
    shown?.some(({ exitingBalance }) => exitingBalance !== undefined) ? { wide: true } : { csvOnly: true },
  )
