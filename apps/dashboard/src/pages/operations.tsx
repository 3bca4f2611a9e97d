import { Badge, Button, Drawer, Group, Select, SimpleGrid, Tabs, Text } from '@mantine/core'
import { useMay } from '../api/session.tsx'
import type { OperationItem } from '../api/types.ts'
import { useAction, useApi } from '../api/use-api.ts'
import { numberOf, useUrl } from '../lib/use-url.ts'
import { type Column, DataTable, paged } from '../parts/data-table.tsx'
import { Empty, Page, Section, Stat } from '../parts/page.tsx'
import { Money, Status, Time, words } from '../parts/values.tsx'
import { OperationPanel } from './operation-detail.tsx'

const QUEUE = '/api/core/operations/queue'
const HISTORY = '/api/core/operations/history'
const STATES = ['PENDING_APPROVAL', 'EXECUTING', 'CONFIRMING', 'COMPLETED', 'FAILED', 'REJECTED', 'ABORTED']

interface Stats {
  readonly completedOperations: number
  readonly failedOperations: number
  readonly pendingOperations: number
  readonly successRate: string
  readonly averageCompletionTime: string
}

const columns: readonly Column<OperationItem>[] = [
  { title: 'Operation', cell: ({ id, type }) => `${words(type)} #${id}`, csv: ({ id }) => id },
  { title: 'State', cell: ({ status }) => <Status value={status} />, csv: ({ status }) => status },
  {
    title: 'Amount',
    right: true,
    cell: ({ amount, token }) => <Money amount={amount} token={token} />,
    csv: ({ amount }) => amount,
  },
  { title: 'Token', cell: ({ token }) => token, csv: ({ token }) => token, wide: true },
  { title: 'Planned by', wide: true, cell: ({ origin }) => words(origin), csv: ({ origin }) => origin },
  { title: 'Signed by', wide: true, cell: ({ executor }) => words(executor), csv: ({ executor }) => executor },
  {
    title: 'Created',
    right: true,
    wide: true,
    cell: ({ createdAt }) => <Time iso={createdAt} />,
    csv: ({ createdAt }) => createdAt,
  },
]

export function Operations() {
  const [url, setUrl] = useUrl()
  const tab = url.tab === 'history' ? 'history' : 'inbox'
  const offset = numberOf(url.offset) ?? 0
  const open = numberOf(url.open)
  const status = STATES.find((state) => state === url.status)
  const queue = useApi<{ intents: OperationItem[]; count: number }>(paged(QUEUE, tab === 'inbox' ? offset : 0))
  const path = status ? `${HISTORY}?status=${status}` : HISTORY
  const history = useApi<{ items: OperationItem[]; total: number }>(tab === 'history' ? paged(path, offset) : null)
  const stats = useApi<Stats>('/api/core/operations/stats')
  const facts = stats.data?.data
  return (
    <Page title="Operations" description="Deposits into and withdrawals from venues, from the plan to the ledger">
      <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm">
        <Stat label="Unfinished" value={facts?.pendingOperations ?? '–'} />
        <Stat label="Completed" value={facts?.completedOperations ?? '–'} />
        <Stat label="Failed" value={facts?.failedOperations ?? '–'} />
        <Stat
          label="Success"
          value={facts?.successRate ?? '–'}
          note={facts ? `${facts.averageCompletionTime} s on average` : ' '}
        />
      </SimpleGrid>
      <Tabs
        value={tab}
        onChange={(next) =>
          setUrl({ tab: next === 'history' ? 'history' : undefined, offset: undefined, status: undefined })
        }
        keepMounted={false}
      >
        <Tabs.List mb="md">
          <Tabs.Tab
            value="inbox"
            rightSection={
              (queue.data?.data.count ?? 0) > 0 ? <Badge size="sm">{queue.data?.data.count}</Badge> : undefined
            }
          >
            Inbox
          </Tabs.Tab>
          <Tabs.Tab value="history">History</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="inbox">
          <Section pad={false}>
            <DataTable
              label="Unfinished operations"
              path={QUEUE}
              query={queue}
              rows={({ intents, count }) => ({ items: intents, total: count })}
              id={({ id }) => id}
              offset={offset}
              onOffset={(next) => setUrl({ offset: next || undefined })}
              onOpen={({ id }) => setUrl({ open: id })}
              columns={[
                ...columns,
                { title: 'Decide', right: true, cell: (row) => <Decide operation={row} compact /> },
              ]}
              empty={
                <Empty title="The inbox is empty">
                  Operations wait here while they need approvals, signatures or blocks.
                </Empty>
              }
            />
          </Section>
        </Tabs.Panel>
        <Tabs.Panel value="history">
          <Section
            pad={false}
            title="History"
            actions={
              <Select
                aria-label="State"
                size="xs"
                placeholder="All states"
                clearable
                data={STATES.map((value) => ({ value, label: words(value) }))}
                value={status ?? null}
                onChange={(next) => setUrl({ status: next ?? undefined, offset: undefined })}
              />
            }
          >
            <DataTable
              label="Operations"
              path={path}
              query={history}
              rows={({ items, total }) => ({ items, total })}
              id={({ id }) => id}
              offset={offset}
              onOffset={(next) => setUrl({ offset: next || undefined })}
              onOpen={({ id }) => setUrl({ open: id })}
              columns={columns}
              empty={
                <Empty title={status ? `No operation is ${words(status).toLowerCase()}` : 'No operation yet'}>
                  Operations of the rebalancer, of members and of API clients appear here.
                </Empty>
              }
            />
          </Section>
        </Tabs.Panel>
      </Tabs>
      <Drawer
        opened={open !== undefined}
        onClose={() => setUrl({ open: undefined })}
        title={open === undefined ? 'Operation' : `Operation ${open}`}
        size="xl"
      >
        {open !== undefined && <OperationPanel id={open} />}
      </Drawer>
    </Page>
  )
}

/** Approve and reject, for those who may; the row stays where it is until the service has answered. */
export function Decide({
  operation,
  compact,
}: {
  readonly operation: Pick<OperationItem, 'id' | 'status'>
  readonly compact?: boolean
}) {
  const may = useMay()
  const decide = useAction<{ approvals?: number; requiredApprovals?: number; status: string }>(
    ({ approvals, requiredApprovals, status }) =>
      approvals === undefined
        ? 'The operation is rejected.'
        : status === 'PENDING_APPROVAL'
          ? `${approvals} of ${requiredApprovals} approvals.`
          : 'The last approval arrived. The agent may sign.',
  )
  if (operation.status !== 'PENDING_APPROVAL')
    return (
      <Text span size="xs" c="dimmed">
        –
      </Text>
    )
  if (!may.approve)
    return (
      <Text span size="xs" c="dimmed">
        Approvers decide
      </Text>
    )
  const size = compact ? 'compact-xs' : 'sm'
  const send = (verb: 'approve' | 'reject') => (event: { stopPropagation: () => void }) => {
    event.stopPropagation()
    decide.mutate({ method: 'POST', path: `/api/core/operations/${operation.id}/${verb}`, body: {} })
  }
  return (
    <Group gap={6} justify={compact ? 'flex-end' : 'flex-start'} wrap="nowrap">
      <Button
        size={size}
        loading={decide.isPending}
        onClick={send('approve')}
        aria-label={`Approve operation ${operation.id}`}
      >
        Approve
      </Button>
      <Button
        size={size}
        variant="default"
        color="red.9"
        disabled={decide.isPending}
        onClick={send('reject')}
        aria-label={`Reject operation ${operation.id}`}
      >
        Reject
      </Button>
    </Group>
  )
}
