import { Badge, Button, Switch } from '@mantine/core'
import { useState } from 'react'
import type { Data, Schema } from '../../api/types.ts'
import { useApi } from '../../api/use-api.ts'
import { beginningOf, dayOf, endOf, today } from '../../lib/dates/as-of.ts'
import { usePaging, useUrl, withQuery } from '../../lib/page/use-url.ts'
import { actionNamed, actionText } from '../../lib/text/action-text.ts'
import { nameOfActor } from '../../lib/text/name-of-actor.ts'
import { Drawer } from '../../parts/dialogs.tsx'
import { Empty, Page, Section } from '../../parts/frame/page.tsx'
import { columnsFor } from '../../parts/tables/columns.tsx'
import { DataTable, paged } from '../../parts/tables/data-table.tsx'
import { UrlDay } from '../../parts/tables/url-day.tsx'
import { ActorFilter } from './actor-filter.tsx'
import { EntryPanel } from './entry-panel.tsx'
import { AUDIT_LOG, ProofOfEntries } from './proof.tsx'
import { TextFilter } from './text-filter.tsx'

const { hash, shown, text, time } = columnsFor<Schema<'AuditEntry'>>()

/** What a lease of a custody agent is called. */
const POLLS = 'pollTransactions'
const FILTERS = ['action', 'actor', 'object'] as const
const CLEARED = { action: undefined, actor: undefined, object: undefined, from: undefined, to: undefined }

/** Who did what. Each entry contains the hash of the one before, so none can be changed alone. */
export function Audit() {
  const [url, setUrl] = useUrl()
  const paging = usePaging()
  const from = dayOf(url.from, today())
  const to = dayOf(url.to, today())
  const isFiltered = FILTERS.some((name) => url[name]) || from !== undefined || to !== undefined
  // Agents lease each transaction, some again and again: who looks for it names the action, or turns the switch.
  const hidesPolls = url.polls !== 'shown' && url.action === undefined
  const path = withQuery(AUDIT_LOG, {
    ...Object.fromEntries(FILTERS.map((name) => [name, url[name] || undefined])),
    notAction: hidesPolls ? POLLS : undefined,
    from: from && beginningOf(from),
    to: to && endOf(to),
  })
  const log = useApi<Data<'listAuditLog'>>(paged(path, paging.offset))
  const [opened, setOpened] = useState<Schema<'AuditEntry'>>()
  const entries = log.data?.data.entries ?? []
  const set = (name: (typeof FILTERS)[number]) => (value: string) =>
    setUrl({ [name]: value || undefined, offset: undefined })
  const textFilter = (
    name: 'action' | 'object',
    label: string,
    placeholder: string,
    {
      shownAs = (value) => value,
      named = (text) => text,
    }: { shownAs?: (value: string) => string; named?: (text: string) => string } = {},
  ) => (
    <TextFilter
      key={`${name}${url[name] ?? ''}`}
      label={label}
      placeholder={placeholder}
      value={shownAs(String(url[name] ?? ''))}
      onSet={(text) => set(name)(named(text))}
    />
  )
  return (
    <Page hasFilters title="Audit log" description="Who did what, when and from where, in a chain of hashes">
      <ProofOfEntries key={path} entries={entries} isFiltered={isFiltered} />
      <Section
        title="Entries"
        pad={false}
        actions={
          <>
            {textFilter('action', 'Action', 'Action, approve operation', { shownAs: actionText, named: actionNamed })}
            <ActorFilter value={String(url.actor ?? '')} onSet={set('actor')} />
            {textFilter('object', 'On', 'On, operation:12')}
            <UrlDay label="From" of="of entries" name="from" />
            <UrlDay label="To" of="of entries" name="to" />
            <Switch
              size="xs"
              label="Leases of agents"
              checked={!hidesPolls}
              disabled={url.action !== undefined}
              onChange={(event) =>
                setUrl({ polls: event.currentTarget.checked ? 'shown' : undefined, offset: undefined })
              }
            />
            {isFiltered && (
              <Button size="xs" variant="subtle" onClick={() => setUrl({ ...CLEARED, offset: undefined })}>
                Clear
              </Button>
            )}
          </>
        }
      >
        <DataTable
          label="Audit log"
          path={path}
          query={log}
          rows={({ entries: items, pagination }) => ({ items, total: pagination.total })}
          id={({ id }) => id}
          {...paging}
          onOpen={setOpened}
          columns={[
            text('Entry', 'id', { right: true, wide: true }),
            shown('Action', ({ action }) => <span title={action}>{actionText(action)}</span>, 'action'),
            shown(
              'Who',
              ({ actor }) => <span className="breaks">{nameOfActor(actor)}</span>,
              ({ actor }) => `${actor.type}:${actor.id ?? ''}`,
            ),
            shown(
              'On',
              ({ object }) => (
                <Badge variant="light" color="gray" tt="none">
                  {object.type.replaceAll('_', ' ')} {object.id ?? ''}
                </Badge>
              ),
              ({ object }) => `${object.type}:${object.id ?? ''}`,
              { wide: true },
            ),
            text('From', 'from', { wide: true }),
            hash('Hash', 'hash', { wide: true }),
            time('When', 'at'),
          ]}
          empty={
            <Empty title={isFiltered ? 'No entry matches' : 'No entry yet'}>
              Every request that changes something writes one, in the same transaction as its effect.
            </Empty>
          }
        />
      </Section>
      <Drawer
        opened={opened !== undefined}
        onClose={() => setOpened(undefined)}
        title={opened ? `Entry ${opened.id}` : 'Entry'}
      >
        {opened && <EntryPanel entry={opened} onLeave={() => setOpened(undefined)} />}
      </Drawer>
    </Page>
  )
}
