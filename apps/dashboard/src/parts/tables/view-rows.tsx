import { ActionIcon, Anchor, Box, Button, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import { useMemberNames } from '../../api/member-names.ts'
import { useMay } from '../../api/session.tsx'
import type { Schema } from '../../api/types.ts'
import { useAction } from '../../api/use-api.ts'
import { filtersOfQuery, viewPath } from '../../lib/page/saved-views.ts'
import { UnfoldingCurl } from '../curl.tsx'

type SavedView = Schema<'SavedView'>

interface RowProps {
  readonly view: SavedView
  readonly onOpen: () => void
  readonly onDeleted: () => void
}

/** One of the user's own views, which they change below its name. */
export function OwnRow({ view, query, onOpen, onDeleted }: RowProps & { readonly query: string | undefined }) {
  return (
    <Row
      view={view}
      onOpen={onOpen}
      note={view.shared ? 'Shared with the organization' : undefined}
      change={(onClose) => <ChangeView view={view} query={query} onClose={onClose} onDeleted={onDeleted} />}
    />
  )
}

/** A view that somebody else shares; owners and admins may delete it. */
export function OthersRow({ view, onOpen, onDeleted }: RowProps) {
  const may = useMay()
  const nameOf = useMemberNames()
  const change = () => (
    <>
      <DeleteButton view={view} onDeleted={onDeleted} />
      <UnfoldingCurl method="DELETE" path={viewPath(view.id)} label="Delete as curl" />
    </>
  )
  return (
    <Row
      view={view}
      onOpen={onOpen}
      note={`By ${nameOf(view.createdBy)}`}
      change={may.administer ? change : undefined}
    />
  )
}

interface Shown extends Pick<RowProps, 'view' | 'onOpen'> {
  readonly note: string | undefined
  /** What opens below the row. */
  readonly change: ((onClose: () => void) => ReactNode) | undefined
}

function Row({ view, onOpen, note, change }: Shown) {
  const [opened, setOpened] = useState(false)
  const toggle = useRef<HTMLButtonElement>(null)
  const close = () => {
    setOpened(false)
    toggle.current?.focus()
  }
  return (
    <Stack gap="xs">
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <Box miw={0}>
          <Anchor
            component={Link}
            to={view.path as never}
            search={filtersOfQuery(view.query) as never}
            size="sm"
            display="block"
            truncate
            onClick={onOpen}
          >
            {view.name}
          </Anchor>
          {note && (
            <Text size="xs" c="dimmed" truncate>
              {note}
            </Text>
          )}
        </Box>
        {change && (
          <ActionIcon
            ref={toggle}
            variant="subtle"
            color="gray"
            aria-label={`Change ${view.name}`}
            aria-expanded={opened}
            onClick={() => setOpened(!opened)}
          >
            …
          </ActionIcon>
        )}
      </Group>
      {opened && change?.(close)}
    </Stack>
  )
}

interface ChangeProps {
  readonly view: SavedView
  /** The filters of the page as it is; absent where there are none. */
  readonly query: string | undefined
  readonly onClose: () => void
  readonly onDeleted: () => void
}

function ChangeView({ view, query, onClose, onDeleted }: ChangeProps) {
  const [name, setName] = useState(view.name)
  const [shared, setShared] = useState(view.shared)
  const [refilled, setRefilled] = useState(false)
  const change = useAction('View changed.', onClose)
  const path = viewPath(view.id)
  const body = { name: name.trim(), shared, ...(refilled && query !== undefined ? { query } : {}) }
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    change.mutate({ method: 'PATCH', path, body })
  }
  return (
    <form onSubmit={onSubmit}>
      <Stack gap="xs">
        <TextInput
          label="Name"
          size="xs"
          maxLength={200}
          autoComplete="off"
          data-autofocus
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Checkbox
          size="xs"
          label="Share with the organization"
          checked={shared}
          onChange={(event) => setShared(event.currentTarget.checked)}
        />
        {query !== undefined && query !== view.query && (
          <Checkbox
            size="xs"
            label="Replace its filters with those of this page"
            checked={refilled}
            onChange={(event) => setRefilled(event.currentTarget.checked)}
          />
        )}
        <Group gap="xs" justify="space-between">
          <DeleteButton view={view} onDeleted={onDeleted} />
          <Group gap="xs">
            <Button size="xs" variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" size="xs" loading={change.isPending} disabled={name.trim() === ''}>
              Change
            </Button>
          </Group>
        </Group>
        <UnfoldingCurl method="PATCH" path={path} body={body} label="Change as curl" />
        <UnfoldingCurl method="DELETE" path={path} label="Delete as curl" />
      </Stack>
    </form>
  )
}

function DeleteButton({ view, onDeleted }: Pick<RowProps, 'view' | 'onDeleted'>) {
  const remove = useAction('View deleted.', onDeleted)
  return (
    <Button
      size="xs"
      variant="subtle"
      color="red"
      loading={remove.isPending}
      onClick={() => remove.mutate({ method: 'DELETE', path: viewPath(view.id) })}
    >
      {view.shared ? 'Delete for everybody' : 'Delete'}
    </Button>
  )
}
