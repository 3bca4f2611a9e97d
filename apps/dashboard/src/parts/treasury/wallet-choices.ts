import type { Schema } from '../../api/types.ts'
import { grouped } from '../../lib/money/money.ts'
import type { Choice } from '../forms/search-select.tsx'
import { chainName } from '../values.tsx'

const shortened = (address: string) => `${address.slice(0, 8)}…${address.slice(-4)}`

/** A label with the address: labels are not unique. The service labels what nobody named with the address itself. */
const nameOf = ({ label, address }: { readonly label?: string; readonly address: string }) =>
  label === undefined || label.startsWith(address.slice(0, 6)) ? shortened(address) : `${label} ${shortened(address)}`

export const walletChoice = (wallet: Schema<'OrgWallet'>): Choice => ({
  value: String(wallet.id),
  label: `${nameOf(wallet)} on ${chainName(wallet.blockchain)}`,
})

export const operationalChoice = (wallet: Schema<'OperationalWallet'>): Choice => ({
  value: String(wallet.id),
  label: `${nameOf(wallet)}, ${grouped(wallet.availableBalance)} ${wallet.token} liquid`,
})
