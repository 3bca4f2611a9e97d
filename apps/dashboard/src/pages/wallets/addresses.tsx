import type { Schema } from '../../api/types.ts'
import { useApi } from '../../api/use-api.ts'
import { usePaging } from '../../lib/use-url.ts'
import { columnsFor } from '../../parts/columns.tsx'
import { bare, DataTable, paged } from '../../parts/data-table.tsx'
import { Empty, Section } from '../../parts/page.tsx'

export const ADDRESSES = '/api/core/wallets'
const { chain, hash, text, time } = columnsFor<Schema<'OrgWallet'>>()
const columns = [
  text('Label', 'label'),
  hash('Address', 'address'),
  chain('blockchain'),
  text('Custody', 'custodyProvider', { wide: true }),
  time('Added', 'createdAt', { wide: true }),
]

/** Every address of the organization, operational or not. */
export function Addresses() {
  const paging = usePaging()
  const addresses = useApi<Schema<'OrgWallet'>[]>(paged(ADDRESSES, paging.offset))
  return (
    <Section pad={false}>
      <DataTable
        label="All addresses"
        path={ADDRESSES}
        query={addresses}
        rows={bare}
        id={({ id }) => id}
        {...paging}
        columns={columns}
        empty={
          <Empty title="No address yet">Addresses that you add, and those that clients register, appear here.</Empty>
        }
      />
    </Section>
  )
}
