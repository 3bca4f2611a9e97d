import { Button, Text } from '@mantine/core'
import { useMay } from '../../api/session.tsx'
import type { Schema } from '../../api/types.ts'
import { useApi } from '../../api/use-api.ts'
import { usePaging, useUrl } from '../../lib/use-url.ts'
import { columnsFor } from '../../parts/columns.tsx'
import { bare, DataTable, paged } from '../../parts/data-table.tsx'
import { Empty, Section } from '../../parts/page.tsx'
import { Money } from '../../parts/values.tsx'
import { exitingColumn } from './exiting-column.ts'

const MONITORED = '/api/core/wallets/monitored'
const { chain, hash, money, shown, text } = columnsFor<Schema<'OperationalWallet'>>()

interface Props {
  readonly labels: ReadonlyMap<string, string>
  readonly onAdd: () => void
}

/** The wallets that Weir keeps at their buffer. */
export function OperationalWallets({ labels, onAdd }: Props) {
  const [, setUrl] = useUrl()
  const may = useMay()
  const paging = usePaging()
  const wallets = useApi<Schema<'OperationalWallet'>[]>(paged(MONITORED, paging.offset))
  return (
    <Section pad={false}>
      <DataTable
        label="Operational wallets"
        path={MONITORED}
        query={wallets}
        rows={bare}
        id={({ id }) => id}
        {...paging}
        onOpen={({ id }) => setUrl({ open: id })}
        columns={[
          hash('Wallet', 'address', { label: ({ address }) => labels.get(address), chain: 'blockchain' }),
          chain('blockchain', { wide: true }),
          money('Liquid', 'availableBalance', 'token'),
          money('Deployed', 'deployedBalance', 'token', { wide: true }),
          money('Reserved', 'reservedBalance', undefined, { wide: true }),
          ...exitingColumn(wallets.data?.data),
          shown(
            'Buffer',
            ({ bufferAmount, enableYield }) => (
              <>
                <Money amount={bufferAmount} />
                {!enableYield && (
                  <Text size="xs" c="dimmed" component="div">
                    earns nothing
                  </Text>
                )}
              </>
            ),
            'bufferAmount',
            { right: true, wide: true },
          ),
          text('Yield', ({ enableYield }) => String(enableYield), { csvOnly: true }),
        ]}
        empty={
          <Empty
            title="No operational wallet yet"
            action={
              may.administer && (
                <Button variant="default" onClick={onAdd}>
                  Add a wallet
                </Button>
              )
            }
          >
            Add the address of a wallet whose keys you hold, choose a buffer, and Weir plans deposits and withdrawals
            that your agent signs.
          </Empty>
        }
      />
    </Section>
  )
}
