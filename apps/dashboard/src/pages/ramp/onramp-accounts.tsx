import type { Schema } from '../../api/types.ts'
import { columnsFor } from '../../parts/tables/columns.tsx'
import { chainName } from '../../parts/values.tsx'
import { type AccountsProps, AccountsTable } from './accounts-table.tsx'

type Account = Schema<'OnrampAccount'>
const { hash, shown, state, text } = columnsFor<Account>()
const columns = [
  text('Bank', 'bank_name'),
  hash('Routing', 'routing_number', { wide: true }),
  hash('Account', 'account_number', { length: 8 }),
  shown(
    'Becomes',
    ({ destination_asset, destination_wallet }) => `${destination_asset} on ${chainName(destination_wallet.network)}`,
    'destination_asset',
    { wide: true },
  ),
  hash('Wallet', ({ destination_wallet }) => destination_wallet.address, {
    label: ({ destination_wallet }) => destination_wallet.name,
    wide: true,
  }),
  state('State', 'status', { wide: true }),
]

/** Bank accounts whose dollars become tokens. */
export const OnrampAccounts = (props: AccountsProps<Account>) => (
  <AccountsTable
    {...props}
    title="Bring money in"
    label="Accounts that bring money in"
    columns={columns}
    open="Open an account"
    simulate={{ label: 'Pay in', name: ({ bank_name, id }) => `Pay in to ${bank_name}, account ${id}` }}
    none={{ title: 'No account yet', about: 'Dollars that arrive on it become tokens in your wallet.' }}
  />
)
