import { Button } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { Answer, ApiError } from '../../api/client.ts'
import type { Schema } from '../../api/types.ts'
import { columnsFor } from '../../parts/columns.tsx'
import { bare, DataTable } from '../../parts/data-table.tsx'
import { Empty, Section } from '../../parts/page.tsx'
import { chainName } from '../../parts/values.tsx'

export const ONRAMP_ACCOUNTS = '/v1/ramp/org/onramp-accounts'
const { hash, shown, state, text } = columnsFor<Schema<'OnrampAccount'>>()
const columns = [
  text('Bank', 'bank_name'),
  hash('Routing', 'routing_number', { wide: true }),
  hash('Account', 'account_number', { length: 8 }),
  shown(
    'Becomes',
    ({ destination_asset, destination_wallet }) => `${destination_asset} on ${chainName(destination_wallet.network)}`,
    'destination_asset',
  ),
  hash('Wallet', ({ destination_wallet }) => destination_wallet.address, { wide: true }),
  state('State', 'status', { wide: true }),
]

interface Props {
  readonly accounts: UseQueryResult<Answer<Schema<'OnrampAccount'>[]>, ApiError>
  readonly canOpen: boolean
  readonly onOpen: () => void
}

/** Bank accounts whose dollars become tokens. */
export function OnrampAccounts({ accounts, canOpen, onOpen }: Props) {
  return (
    <Section
      title="Bring money in"
      pad={false}
      actions={
        canOpen && (
          <Button size="xs" onClick={onOpen}>
            Open an account
          </Button>
        )
      }
    >
      <DataTable
        label="Accounts that bring money in"
        path={ONRAMP_ACCOUNTS}
        query={accounts}
        rows={bare}
        id={({ id }) => id}
        columns={columns}
        empty={
          <Empty
            title="No account yet"
            action={
              canOpen && (
                <Button variant="default" onClick={onOpen}>
                  Open an account
                </Button>
              )
            }
          >
            Dollars that arrive on it become tokens in your wallet.
          </Empty>
        }
      />
    </Section>
  )
}
