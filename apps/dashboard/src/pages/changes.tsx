import { Alert, Button, Code, Drawer, Group, Select, Stack, Text } from '@mantine/core'
import type { Method } from '../api/client.ts'
import { useMay, useSession } from '../api/session.tsx'
import { useAction, useApi } from '../api/use-api.ts'
import { numberOf, useUrl } from '../lib/use-url.ts'
import { DataTable, paged } from '../parts/data-table.tsx'
import { Empty, Page, Section } from '../parts/page.tsx'
import { Facts, Status, Time, words } from '../parts/values.tsx'

const PATH = '/api/core/change-requests'
const STATES = ['requested', 'approved', 'rejected', 'cancelled', 'expired', 'completed']

interface Change {
  readonly id: number
  readonly kind: string
  readonly summary: string
  readonly request: { readonly method: Method; readonly path: string; readonly body: object }
  readonly status: string
  readonly requestedBy: { readonly type: string; readonly id: number; readonly name: string | null }
  readonly approvals: number
  readonly requiredApprovals: number
  readonly decisions: readonly {
    readonly userId: number
    readonly email: string
    readonly decision: string
    readonly counts: boolean
    readonly at: string
  }[]
  readonly createdAt: string
  readonly earliestAt: string | null
  readonly expiresAt: string
}

/** Changes of the configuration that wait for a second person. */
export function Changes() {
  const [url, setUrl] = useUrl()
  const offset = numberOf(url.offset) ?? 0
  const status = STATES.find((state) => state === url.status)
  const path = status ? `${PATH}?status=${status}` : PATH
  const changes = useApi<{ changeRequests: Change[]; pagination: { total: number } }>(paged(path, offset))
  const open = changes.data?.data.changeRequests.find(({ id }) => id === numberOf(url.open))
  return (
    <Page title="Change requests" description="Changes that wait for a second person">
      <Section
        title="Requests"
        pad={false}
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
          label="Change requests"
          path={path}
          query={changes}
          rows={({ changeRequests, pagination }) => ({ items: changeRequests, total: pagination.total })}
          id={({ id }) => id}
          offset={offset}
          onOffset={(next) => setUrl({ offset: next || undefined })}
          onOpen={({ id }) => setUrl({ open: id })}
          columns={[
            { title: 'Change', cell: ({ summary }) => summary, csv: ({ summary }) => summary },
            { title: 'Kind', wide: true, cell: ({ kind }) => words(kind), csv: ({ kind }) => kind },
            {
              title: 'State',
              cell: ({ status: state }) => <Status value={state} />,
              csv: ({ status: state }) => state,
            },
            {
              title: 'Approvals',
              right: true,
              cell: ({ approvals, requiredApprovals }) => `${approvals} of ${requiredApprovals}`,
              csv: ({ approvals }) => approvals,
            },
            {
              title: 'By',
              wide: true,
              cell: ({ requestedBy }) => requestedBy.name ?? `${requestedBy.type} ${requestedBy.id}`,
              csv: ({ requestedBy }) => requestedBy.name,
            },
            {
              title: 'When',
              right: true,
              wide: true,
              cell: ({ createdAt }) => <Time iso={createdAt} />,
              csv: ({ createdAt }) => createdAt,
            },
          ]}
          empty={
            <Empty title={status ? `No request is ${status}` : 'No change waits'}>
              Under a change policy, new members, keys, webhooks and policies need a second person. This organization
              decides in its change policy which.
            </Empty>
          }
        />
      </Section>
      <Drawer opened={open !== undefined} onClose={() => setUrl({ open: undefined })} title={open?.summary ?? 'Change'}>
        {open && <Panel change={open} />}
      </Drawer>
    </Page>
  )
}

function Panel({ change }: { readonly change: Change }) {
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
          ['Kind', words(change.kind)],
          ['Requested by', change.requestedBy.name ?? `${change.requestedBy.type} ${change.requestedBy.id}`],
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
                method,
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
