import { Box, Button, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useRef, useState } from 'react'
import { useSession } from '../../api/session.tsx'
import type { Schema } from '../../api/types.ts'
import { useAction, useApi } from '../../api/use-api.ts'
import { isFiltered, queryOf, viewPath, viewsOf } from '../../lib/page/saved-views.ts'
import type { UrlState } from '../../lib/page/use-url.ts'
import { UnfoldingCurl } from '../curl.tsx'
import { OthersRow, OwnRow } from './view-rows.tsx'

type SavedView = Schema<'SavedView'>

interface PanelProps {
  readonly page: string
  /** Of the page as it is. */
  readonly filters: UrlState
  readonly onLeave: () => void
}

/** The views of a page, and a form for another one. */
export function ViewsPanel({ page, filters, onLeave }: PanelProps) {
  const { user } = useSession()
  const views = useApi<SavedView[]>(viewsOf(page))
  const panel = useRef<HTMLDivElement>(null)
  const listed = (views.data?.data ?? []).filter((view) => view.path === page)
  const own = listed.filter(({ createdBy }) => createdBy === user.id)
  const others = listed.filter(({ createdBy }) => createdBy !== user.id)
  const total = views.data?.total ?? 0
  const query = isFiltered(filters) ? queryOf(filters) : undefined
  // The row that held the focus is gone.
  const onDeleted = () => panel.current?.focus()
  return (
    <Stack gap="sm" ref={panel} tabIndex={-1} className="views">
      {views.isPending && (
        <Text size="sm" c="dimmed">
          Loading the views
        </Text>
      )}
      {views.error && (
        <Text size="sm" c="red" role="alert">
          {views.error.message}
        </Text>
      )}
      {listed.length > 0 && (
        <Box className="views-list">
          <Stack gap="sm">
            {own.length > 0 && (
              <Stack component="section" aria-label="Your views" gap="xs">
                <Text size="xs" c="dimmed" fw={600}>
                  Yours
                </Text>
                {own.map((view) => (
                  <OwnRow key={view.id} view={view} query={query} onOpen={onLeave} onDeleted={onDeleted} />
                ))}
              </Stack>
            )}
            {others.length > 0 && (
              <Stack component="section" aria-label="Views that others share" gap="xs">
                <Text size="xs" c="dimmed" fw={600}>
                  Shared by others
                </Text>
                {others.map((view) => (
                  <OthersRow key={view.id} view={view} onOpen={onLeave} onDeleted={onDeleted} />
                ))}
              </Stack>
            )}
          </Stack>
        </Box>
      )}
      {total > listed.length && listed.length > 0 && (
        <Text size="xs" c="dimmed">
          The newest {listed.length} of {total}.
        </Text>
      )}
      {query === undefined ? (
        <Text size="xs" c="dimmed">
          Filter a list of this page, then save the filters here.
        </Text>
      ) : (
        <SaveView key={query} page={page} query={query} />
      )}
    </Stack>
  )
}

function SaveView({ page, query }: { readonly page: string; readonly query: string }) {
  const [name, setName] = useState('')
  const [shared, setShared] = useState(false)
  const save = useAction('View saved.', () => {
    setName('')
    setShared(false)
  })
  const request = { method: 'POST', path: viewPath(), body: { name: name.trim(), path: page, query, shared } } as const
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate(request)
  }
  return (
    <form onSubmit={onSubmit}>
      <Stack gap="xs">
        <Group gap="xs" align="flex-end" wrap="nowrap">
          <TextInput
            label="Name of this view"
            size="xs"
            flex={1}
            maxLength={200}
            autoComplete="off"
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Button type="submit" size="xs" loading={save.isPending} disabled={name.trim() === ''}>
            Save
          </Button>
        </Group>
        <Checkbox
          size="xs"
          label="Share with the organization"
          checked={shared}
          onChange={(event) => setShared(event.currentTarget.checked)}
        />
        <UnfoldingCurl {...request} label="Save as curl" />
      </Stack>
    </form>
  )
}
