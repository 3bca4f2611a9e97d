import { Badge, SimpleGrid, Tabs } from '@mantine/core'
import { QUEUE } from '../../api/paths.ts'
import type { Data, Schema } from '../../api/types.ts'
import { useApi } from '../../api/use-api.ts'
import { numberOf, useUrl } from '../../lib/page/use-url.ts'
import { Drawer } from '../../parts/dialogs.tsx'
import { Page, Stat } from '../../parts/frame/page.tsx'
import { paged } from '../../parts/tables/data-table.tsx'
import { History } from './history.tsx'
import { Inbox } from './inbox.tsx'
import { WITHOUT_FILTER } from './operation-filters.tsx'
import { OperationPanel } from './operation-panel.tsx'
import { rateNote, successOf } from './success.ts'

export function Operations() {
  const [url, setUrl] = useUrl()
  const open = numberOf(url.open)
  const queue = useApi<Data<'getOperationQueue'>>(paged(QUEUE, 0))
  const stats = useApi<Schema<'OperationStats'>>('/api/core/operations/stats')
  const facts = stats.data?.data
  const success = facts && successOf(facts)
  const unfinished = queue.data?.total ?? 0
  return (
    <Page
      hasFilters
      title="Operations"
      description="Deposits into and withdrawals from venues, from the plan to the ledger"
    >
      <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm">
        <Stat label="Unfinished" value={facts?.pendingOperations ?? '–'} />
        <Stat
          label="Completed"
          value={facts?.completedOperations ?? '–'}
          note={facts && facts.completedOperations > 0 ? `${facts.averageCompletionTime} s on average` : ' '}
        />
        <Stat label="Failed" value={success?.failed ?? '–'} note={success?.besides} />
        <Stat
          label="Success"
          value={success?.rate ?? '–'}
          note={facts && success ? rateNote(facts, success.failed) : ' '}
        />
      </SimpleGrid>
      <Tabs
        value={url.tab === 'history' ? 'history' : 'inbox'}
        onChange={(next) => setUrl({ ...WITHOUT_FILTER, tab: next === 'history' ? 'history' : undefined })}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="inbox" rightSection={unfinished > 0 ? <Badge size="sm">{unfinished}</Badge> : undefined}>
            Inbox
          </Tabs.Tab>
          <Tabs.Tab value="history">History</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="inbox">
          <Inbox />
        </Tabs.Panel>
        <Tabs.Panel value="history">
          <History />
        </Tabs.Panel>
      </Tabs>
      <Drawer
        opened={open !== undefined}
        onClose={() => setUrl({ open: undefined, place: undefined })}
        title={open === undefined ? 'Operation' : `Operation ${open}`}
        size="xl"
      >
        {open !== undefined && <OperationPanel key={open} id={open} />}
      </Drawer>
    </Page>
  )
}
