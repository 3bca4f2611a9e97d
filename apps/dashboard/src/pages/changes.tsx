import { Alert, Button, Code, Drawer, Group, Stack, Text } from '@mantine/core'
import type { Method } from '../api/client.ts'
import { useMay, useSession } from '../api/session.tsx'
import type { Data, Schema } from '../api/types.ts'
import { useAction, useApi } from '../api/use-api.ts'
import { nameOfActor } from '../lib/name-of-actor.ts'
import { numberOf, usePaging, useUrl } from '../lib/use-url.ts'
import { columnsFor } from '../parts/columns.tsx'
import { DataTable, paged } from '../parts/data-table.tsx'
import { Empty, Loaded, Page, Section } from '../parts/page.tsx'
import { UrlFilter } from '../parts/url-filter.tsx'
import { Facts, Status, Time, words } from '../parts/values.tsx'

const { shown, state, text, time } = columnsFor<Schema<'ChangeRequest'>>()

const PATH = '/api/core/change-requests'
const STATES = ['requested', 'approved', 'rejected', 'cancelled', 'expired', 'completed']

/** Changes of the configuration that wait for a second person. */
export function Changes() {
  const [url, setUrl] = useUrl()
  const paging = usePaging()
  const status = STATES.find((state) => state === url.status)
  const path = status ? `${PATH}?status=${status}` : PATH
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
            text('Change', 'summary'),
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
            <Empty title={status ? `No request is ${status}` : 'No change waits'}>
              Under a change policy, new members, keys, webhooks and policies need a second person. This organization
              decides in its change policy which.
            </Empty>
          }
        />
      </Section>
      <Drawer
        opened={open !== undefined}
        onClose={() => setUrl({ open: undefined })}
        title={open === undefined ? 'Change request' : `Change request ${open}`}
      >
        {open !== undefined && <ChangePanel id={open} />}
      </Drawer>
    </Page>
  )
}

/** Reads the request by its id: a link may name one that is on another page, or decided long ago. */
function ChangePanel({ id }: { readonly id: number }) {
  const detail = useApi<Schema<'ChangeRequest'>>(`${PATH}/${id}`)
  if (detail.error?.code === 'NOT_FOUND')
    return <Empty title="There is no such request">It may belong to another organization, or the link is old.</Empty>
  return (
    <Loaded query={detail} height={320}>
      {(change) => <Panel change={change} />}
    </Loaded>
  )
}

function Panel({ change }: { readonly change: Schema<'ChangeRequest'> }) {
  const { user } = useSession()
  const may = useMay()
  const act = useAction('Done.')
  const isOwn = change.requestedBy.type === 'user' && change.requestedBy.id === user.id
  const send = (verb: string) => () => act.mutate({ method: 'POST', path: `${PATH}/${change.id}/${verb}`, body: {} })
  const isMasked =
    JSON.stringify(change.request.body).includes('•') || JSON.stringify(change.request.body).includes('***')
  const { method, path, body } = change.request
  return (
    <Stack>
      <Facts
        items={[
          ['State', <Status key="s" value={change.status} />],
          ['Change', change.summary],
          ['Kind', words(change.kind)],
          ['Requested by', nameOfActor(change.requestedBy)],
          ['Approvals', `${change.approvals} of ${change.requiredApprovals}`],
          ['Not before', <Time key="e" iso={change.earliestAt} />],
          ['Expires', <Time key="x" iso={change.expiresAt} />],
        ]}
      />
      <Text size="sm" fw={600}>
        What would change
      </Text>
      <Code block tabIndex={0} className="curl">{`${method} ${path}\n${JSON.stringify(body, null, 2)}`}</Code>
      {change.decisions.map((each) => (
        <Text key={each.userId} size="sm">
          {words(each.decision)}d by {each.email} <Time iso={each.at} />
          {each.counts ? '' : ' (no longer counts)'}
        </Text>
      ))}
      <Group gap="xs">
        {change.status === 'requested' && !isOwn && may.approve && (
          <Button loading={act.isPending} onClick={send('approve')}>
            Approve
          </Button>
        )}
        {(change.status === 'requested' || change.status === 'approved') && !isOwn && may.approve && (
          <Button variant="default" color="red" onClick={send('reject')}>
            Reject
          </Button>
        )}
        {(change.status === 'requested' || change.status === 'approved') && isOwn && (
          <Button variant="default" onClick={send('cancel')}>
            Cancel
          </Button>
        )}
        {change.status === 'approved' && isOwn && !isMasked && (
          <Button
            loading={act.isPending}
            onClick={() =>
              act.mutate({
                method: method as Method,
                path,
                ...(method === 'DELETE' ? {} : { body }),
                headers: { 'change-request-id': String(change.id) },
              })
            }
          >
            Make the change
          </Button>
        )}
      </Group>
      {change.status === 'requested' && isOwn && <Alert>You requested this. Another member must approve it.</Alert>}
      {change.status === 'approved' && isOwn && isMasked && (
        <Alert>
          The request had a secret, which nobody stored. Repeat it where you made it, with the header Change-Request-Id:{' '}
          {change.id}.
        </Alert>
      )}
    </Stack>
  )
}
