import type { Schema } from '../../api/types.ts'
import { columnsFor } from '../../parts/tables/columns.tsx'
import { chainName } from '../../parts/values.tsx'
import { type AccountsProps, AccountsTable } from './accounts-table.tsx'
import { railName } from './rails.ts'

type Account = Schema<'OfframpAccount'>
const { hash, shown, state, text } = columnsFor<Account>()
const columns = [
  text('Bank', 'fiat_bank_name'),
  text('Account', 'fiat_account_number'),
  hash('Send to', 'source_crypto_address'),
  shown('Token', ({ source_asset, network_id }) => `${source_asset} on ${chainName(network_id)}`, 'source_asset', {
    wide: true,
  }),
  shown('Rail', ({ rail }) => railName(rail), 'rail', { wide: true }),
  state('State', 'status', { wide: true }),
]

/** Bank accounts that tokens are paid out to. */
export const OfframpAccounts = (props: AccountsProps<Account>) => (
  <AccountsTable
    {...props}
    title="Pay out"
    label="Accounts that pay out"
    columns={columns}
    open="Add a bank account"
    simulate={{ label: 'Pay out', name: ({ fiat_bank_name, id }) => `Pay out to ${fiat_bank_name}, account ${id}` }}
    none={{ title: 'No bank account yet', about: 'Tokens that arrive at its address are paid out in dollars.' }}
  />
)
