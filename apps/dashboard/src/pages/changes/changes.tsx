import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { CHANGE_REQUESTS } from '../../api/paths.ts'
import { useMay } from '../../api/session.tsx'
import type { Data, Schema } from '../../api/types.ts'
import { useApi } from '../../api/use-api.ts'
import { numberOf, usePaging, useUrl } from '../../lib/page/use-url.ts'
import { Drawer } from '../../parts/dialogs.tsx'
import { NewSecret } from '../../parts/forms/new-secret.tsx'
import { Empty, Loaded, Page, Section } from '../../parts/frame/page.tsx'
import { columnsFor } from '../../parts/tables/columns.tsx'
import { DataTable, paged } from '../../parts/tables/data-table.tsx'
import { UrlFilter } from '../../parts/tables/url-filter.tsx'
import { words } from '../../parts/values.tsx'
import { ChangePanel } from './change-panel.tsx'

const { shown, state, text, time } = columnsFor<Schema<'ChangeRequest'>>()

const STATES = ['requested', 'approved', 'rejected', 'cancelled', 'expired', 'completed']

/** Changes of the configuration that wait for a second person. */
export function Changes() {
  const [url, setUrl] = useUrl()
  const may = useMay()
  const [secret, setSecret] = useState<string>()
  const paging = usePaging()
  // A request by its summary alone would not say whose role or sessions it is about.
  const whatOf = ({ summary, concernedMember }: Schema<'ChangeRequest'>) =>
    concernedMember === null ? summary : `${summary}: ${concernedMember.email}`
  const status = STATES.find((state) => state === url.status)
  const path = status ? `${CHANGE_REQUESTS}?status=${status}` : CHANGE_REQUESTS
  const changes = useApi<Data<'listChangeRequests'>>(paged(path, paging.offset))
  const open = numberOf(url.open)
  return (
    <Page hasFilters title="Change requests" description="Changes that wait for a second person">
      <Section
        title="Requests"
        pad={false}
        actions={<UrlFilter label="State" placeholder="All states" choices={STATES} name="status" />}
      >
        <DataTable
          label="Change requests"
          path={path}
          query={changes}
          rows={({ changeRequests, pagination }) => ({ items: changeRequests, total: pagination.total })}
          id={({ id }) => id}
          {...paging}
          onOpen={({ id }) => setUrl({ open: id })}
          columns={[
            text('Change', whatOf),
            shown('Kind', ({ kind }) => words(kind), 'kind', { wide: true }),
            state('State', 'status'),
            shown(
              'Approvals',
              ({ approvals, requiredApprovals }) => `${approvals} of ${requiredApprovals}`,
              'approvals',
              { right: true },
            ),
            shown(
              'By',
              ({ requestedBy }) => requestedBy.name ?? `${requestedBy.type} ${requestedBy.id}`,
              ({ requestedBy }) => requestedBy.name,
              { wide: true },
            ),
            time('When', 'createdAt', { wide: true }),
          ]}
          empty={
            <Empty
              title={status ? `No request is ${status}` : 'No change is waiting'}
              action={
                !status &&
                may.own && (
                  <Button component={Link} to={'/app/settings' as never} variant="default">
                    Set the change policy
                  </Button>
                )
              }
            >
              Under a change policy, new members, keys, webhooks and policies need a second person. This organization
              decides which in its change policy, under Settings.
            </Empty>
          }
        />
      </Section>
      <Drawer
        opened={open !== undefined}
        onClose={() => setUrl({ open: undefined })}
        title={open === undefined ? 'Change request' : `Change request ${open}`}
      >
        {open !== undefined && <ChangeRequest key={open} id={open} onSecret={setSecret} />}
      </Drawer>
      <NewSecret
        secret={secret}
        title="The new secret"
        note="It is shown once, and to nobody else."
        onClose={() => setSecret(undefined)}
      />
    </Page>
  )
}

/** Reads the request by its id: a link may name one that is on another page, or decided long ago. */
interface ChangeProps {
  readonly id: number
  readonly onSecret: (secret: string | undefined) => void
}

function ChangeRequest({ id, onSecret }: ChangeProps) {
  const detail = useApi<Schema<'ChangeRequest'>>(`${CHANGE_REQUESTS}/${id}`)
  if (detail.error?.code === 'NOT_FOUND')
    return <Empty title="Request not found">It may belong to another organization, or the link is old.</Empty>
  return (
    <Loaded query={detail} height={320}>
      {(change) => <ChangePanel change={change} onSecret={onSecret} />}
    </Loaded>
  )
}
