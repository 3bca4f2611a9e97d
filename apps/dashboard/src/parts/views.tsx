import { ActionIcon, Anchor, Button, Group, Popover, Stack, Text, TextInput } from '@mantine/core'
import { Link, useLocation } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { forgetView, type SavedView, saveView, useSavedViews } from '../lib/saved-views.ts'
import { useUrl } from '../lib/use-url.ts'

/** What an address holds for a moment only: an open row, a page of a table, a form. */
const PASSING = new Set(['open', 'offset', 'form', 'add'])
const NAME_LENGTH_MAX = 60

/** Names the filters of a page, and comes back to them. Absent where there is nothing to name or to come back to. */
export function Views() {
  const { pathname: path } = useLocation()
  const [url] = useUrl()
  const own = useSavedViews().filter((view) => view.path === path)
  const search = Object.fromEntries(
    Object.entries(url).filter(([name, value]) => !PASSING.has(name) && value !== undefined),
  ) as SavedView['search']
  const canSave = Object.keys(search).some((name) => name !== 'tab')
  if (!canSave && own.length === 0) return null
  return (
    <Popover width={300} position="bottom-end" withArrow trapFocus>
      <Popover.Target>
        <Button variant="default">Views</Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="sm">
          {own.map((view) => (
            <Group key={view.name} justify="space-between" wrap="nowrap" gap="xs">
              <Anchor component={Link} to={path as never} search={view.search as never} size="sm" truncate>
                {view.name}
              </Anchor>
              <ActionIcon
                variant="subtle"
                color="gray"
                size="sm"
                aria-label={`Forget ${view.name}`}
                onClick={() => forgetView(view)}
              >
                ×
              </ActionIcon>
            </Group>
          ))}
          {canSave && <SaveView key={JSON.stringify(search)} path={path} search={search} />}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}

function SaveView({ path, search }: Omit<SavedView, 'name'>) {
  const [name, setName] = useState('')
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    saveView({ name: name.trim(), path, search })
    setName('')
  }
  return (
    <form onSubmit={onSubmit}>
      <Stack gap="xs">
        <Group gap="xs" align="flex-end" wrap="nowrap">
          <TextInput
            label="Name of this view"
            size="xs"
            flex={1}
            maxLength={NAME_LENGTH_MAX}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Button type="submit" size="xs" disabled={name.trim() === ''}>
            Save
          </Button>
        </Group>
        <Text size="xs" c="dimmed">
          Kept in this browser. To share it, copy the address.
        </Text>
      </Stack>
    </form>
  )
}
