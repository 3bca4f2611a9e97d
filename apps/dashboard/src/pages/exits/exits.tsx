import { Text } from '@mantine/core'
import type { Data } from '../../api/types.ts'
import { useApi } from '../../api/use-api.ts'
import { numberOf, usePaging, useUrl } from '../../lib/page/use-url.ts'
import { Drawer } from '../../parts/dialogs.tsx'
import { Empty, Section } from '../../parts/frame/page.tsx'
import { columnsFor } from '../../parts/tables/columns.tsx'
import { DataTable, paged } from '../../parts/tables/data-table.tsx'
import { UrlFilter } from '../../parts/tables/url-filter.tsx'
import { words } from '../../parts/values.tsx'
import { EXITS, type Exit, exitColumns } from './exit-columns.tsx'
import { ExitPanel } from './exit-panel.tsx'

const STATES = ['pending', 'claimable', 'claimed']
const OFFSET = 'exitOffset'
const { hash, shown } = columnsFor<Exit>()

/** What was requested back from strategies that pay later, until it is claimed. */
export function Exits() {
  const [url, setUrl] = useUrl()
  const paging = usePaging(OFFSET)
  const open = numberOf(url.exit)
  const status = STATES.find((state) => state === url.exits)
  const path = status ? `${EXITS}?status=${status}` : EXITS
  const exits = useApi<Data<'listExits'>>(paged(path, paging.offset))
  return (
    <Section
      pad={false}
      title="Exits"
      actions={
        <UrlFilter label="State of exits" placeholder="All states" choices={STATES} name="exits" offset={OFFSET} />
      }
    >
      <DataTable
        label="Exits"
        path={path}
        query={exits}
        rows={({ exits: items, pagination }) => ({ items, total: pagination.total })}
        id={({ id }) => id}
        {...paging}
        onOpen={({ id }) => setUrl({ exit: id })}
        columns={[
          shown(
            'Strategy',
            ({ strategy, venue }) => (
              <>
                {strategy}
                <Text size="xs" c="dimmed">
                  {venue}
                </Text>
              </>
            ),
            'strategy',
          ),
          hash('Wallet', 'walletAddress', { label: ({ walletLabel }) => walletLabel, wide: true }),
          exitColumns.state,
          exitColumns.requested,
          exitColumns.left,
          exitColumns.claimable,
          exitColumns.claimed,
        ]}
        empty={
          <Empty title={status ? `No exit is ${words(status).toLowerCase()}` : 'No exit'}>
            Some strategies pay a withdrawal only some time after it was requested. What waits there appears here until
            it is claimed.
          </Empty>
        }
      />
      <Drawer
        opened={open !== undefined}
        onClose={() => setUrl({ exit: undefined, claimsOffset: undefined })}
        title="Exit"
        size="xl"
      >
        {open !== undefined && <ExitPanel key={open} id={open} />}
      </Drawer>
    </Section>
  )
}
