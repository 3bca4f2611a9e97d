import { Button } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { Answer, ApiError } from '../../api/client.ts'
import type { Schema } from '../../api/types.ts'
import { columnsFor } from '../../parts/columns.tsx'
import { bare, DataTable } from '../../parts/data-table.tsx'
import { Empty, Section } from '../../parts/page.tsx'
import { chainName } from '../../parts/values.tsx'

export const OFFRAMP_ACCOUNTS = '/v1/ramp/org/offramp-accounts'
const { hash, shown, state, text } = columnsFor<Schema<'OfframpAccount'>>()
const columns = [
  text('Bank', 'fiat_bank_name'),
  text('Account', 'fiat_account_number'),
  hash('Send to', 'source_crypto_address'),
  shown('Token', ({ source_asset, network_id }) => `${source_asset} on ${chainName(network_id)}`, 'source_asset', {
    wide: true,
  }),
  text('Rail', 'rail', { wide: true }),
  state('State', 'status', { wide: true }),
]

interface Props {
  readonly accounts: UseQueryResult<Answer<Schema<'OfframpAccount'>[]>, ApiError>
  readonly canOpen: boolean
  readonly onOpen: () => void
}

/** Bank accounts that tokens are paid out to. */
export function OfframpAccounts({ accounts, canOpen, onOpen }: Props) {
  return (
    <Section
      title="Pay out"
      pad={false}
      actions={
        canOpen && (
          <Button size="xs" onClick={onOpen}>
            Add a bank account
          </Button>
        )
      }
    >
      <DataTable
        label="Accounts that pay out"
        path={OFFRAMP_ACCOUNTS}
        query={accounts}
        rows={bare}
        id={({ id }) => id}
        columns={columns}
        empty={
          <Empty
            title="No bank account yet"
            action={
              canOpen && (
                <Button variant="default" onClick={onOpen}>
                  Add a bank account
                </Button>
              )
            }
          >
            Tokens that arrive at its address are paid out in dollars.
          </Empty>
        }
      />
    </Section>
  )
}
