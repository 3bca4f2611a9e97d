import { Anchor, Button, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useMay } from '../../api/session.tsx'
import type { Schema } from '../../api/types.ts'
import { useApi } from '../../api/use-api.ts'
import { usePaging } from '../../lib/use-url.ts'
import { columnsFor } from '../../parts/columns.tsx'
import { bare, DataTable, paged } from '../../parts/data-table.tsx'
import { Empty, Section } from '../../parts/page.tsx'

type Row = Schema<'OrgWallet'>

export const ADDRESSES = '/api/core/wallets'
const { chain, hash, shown, text, time } = columnsFor<Row>()

interface Props {
  /** Makes this address operational. */
  readonly onAdd: (wallet: Row) => void
}

/** Every address of the organization, operational or not. */
export function Addresses({ onAdd }: Props) {
  const paging = usePaging()
  const may = useMay()
  const addresses = useApi<Row[]>(paged(ADDRESSES, paging.offset))
  const operational = useApi<Schema<'OperationalWallet'>[]>('/api/core/wallets/monitored?limit=100&offset=0')
  const opWalletOf = new Map((operational.data?.data ?? []).map(({ orgWalletId, id }) => [orgWalletId, id]))
  return (
    <Section pad={false}>
      <Text size="sm" c="dimmed" px="md" pt="sm">
        Weir puts to work what operational wallets hold above their buffers. Other addresses earn only what their owners
        deposit themselves.
      </Text>
      <DataTable
        label="All addresses"
        path={ADDRESSES}
        query={addresses}
        rows={bare}
        id={({ id }) => id}
        {...paging}
        columns={[
          text('Label', 'label'),
          hash('Address', 'address', { chain: 'blockchain' }),
          chain('blockchain', { wide: true }),
          shown(
            'Operational',
            (wallet) =>
              opWalletOf.has(wallet.id) ? (
                <Anchor
                  component={Link}
                  to={'/app/wallets' as never}
                  search={{ open: opWalletOf.get(wallet.id) } as never}
                  size="sm"
                  aria-label={`Yes, open ${wallet.label}`}
                >
                  Yes
                </Anchor>
              ) : may.administer ? (
                <Button
                  size="compact-xs"
                  variant="default"
                  aria-label={`No, make ${wallet.label} operational`}
                  onClick={() => onAdd(wallet)}
                >
                  Make operational
                </Button>
              ) : (
                'No'
              ),
            ({ id }) => String(opWalletOf.has(id)),
          ),
          text('Custody', 'custodyProvider', { wide: true }),
          time('Added', 'createdAt', { wide: true }),
        ]}
        empty={
          <Empty title="No address yet">Addresses that you add, and those that clients register, appear here.</Empty>
        }
      />
    </Section>
  )
}
