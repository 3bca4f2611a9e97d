import { Anchor, Button, Group } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { QUEUE } from '../../api/paths.ts'
import { useMay } from '../../api/session.tsx'
import { useSilence, waitsForAgent } from '../../api/silence.ts'
import type { Data } from '../../api/types.ts'
import { useApi } from '../../api/use-api.ts'
import { usePaging, useUrl } from '../../lib/page/use-url.ts'
import { Empty, Section } from '../../parts/frame/page.tsx'
import { columnsFor } from '../../parts/tables/columns.tsx'
import { DataTable, paged } from '../../parts/tables/data-table.tsx'
import { FirstDeposit } from '../../parts/treasury/first-steps.tsx'
import { CancelOperation } from './cancel-operation.tsx'
import { NoMatch } from './no-match.tsx'
import { inboxColumns, type QueuedOperation } from './operation-columns.tsx'
import { filtered, OperationFilters } from './operation-filters.tsx'
import { RowActions } from './row-actions.tsx'

const STATES = ['PLANNING', 'PENDING_APPROVAL', 'EXECUTING', 'CONFIRMING']
const { buttons } = columnsFor<QueuedOperation>()

/** Operations that need an approval, a signature or blocks. */
export function Inbox() {
  const [url, setUrl] = useUrl()
  const [cancelled, setCancelled] = useState<number>()
  const path = filtered(QUEUE, url, STATES)
  const paging = usePaging()
  const queue = useApi<Data<'getOperationQueue'>>(paged(path, paging.offset))
  const { silence } = useSilence(queue.data?.data.intents.some((each) => waitsForAgent(each)) ?? false)
  const nobodySigns = silence !== undefined && silence.kind !== 'some'
  return (
    <Section pad={false} title="Unfinished operations">
      <OperationFilters states={STATES} />
      <DataTable<QueuedOperation, Data<'getOperationQueue'>>
        label="Unfinished operations"
        path={path}
        query={queue}
        rows={({ intents }, { total }) => ({ items: intents, total: total ?? intents.length })}
        id={({ id }) => id}
        {...paging}
        onOpen={({ id }) => setUrl({ open: id })}
        columns={[
          ...inboxColumns,
          buttons('Next step', (operation) => (
            <Group component="span" gap={6} justify="flex-end" wrap="nowrap">
              <NextStep operation={operation} nobodySigns={nobodySigns} />
              <RowActions operation={operation} onCancel={setCancelled} />
            </Group>
          )),
        ]}
        empty={
          path === QUEUE ? (
            <Empty title="The inbox is empty" action={<FirstDeposit />}>
              Operations wait here while they need approvals, signatures or blocks.
            </Empty>
          ) : (
            <NoMatch />
          )
        }
      />
      {cancelled !== undefined && <CancelOperation id={cancelled} onClose={() => setCancelled(undefined)} />}
    </Section>
  )
}

interface StepProps {
  readonly operation: QueuedOperation
  readonly nobodySigns: boolean
}

function NextStep({ operation: { id, status, executor }, nobodySigns }: StepProps) {
  const [, setUrl] = useUrl()
  const may = useMay()
  if (waitsForAgent({ status, executor }))
    return nobodySigns ? (
      <Anchor component={Link} to={'/app/health' as never} size="sm" onClick={(event) => event.stopPropagation()}>
        No agent is available
      </Anchor>
    ) : (
      'Agent signs'
    )
  if (status === 'EXECUTING') return 'Client signs'
  if (status !== 'PENDING_APPROVAL') return '–'
  return may.approve ? (
    // Nobody says yes before they have seen what it calls.
    <Button size="compact-xs" aria-label={`Review operation ${id}`} onClick={() => setUrl({ open: id })}>
      Review
    </Button>
  ) : (
    'Approvers decide'
  )
}
