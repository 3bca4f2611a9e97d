import { Button, Popover } from '@mantine/core'
import { useLocation } from '@tanstack/react-router'
import { useState } from 'react'
import { filtersOf, isFiltered } from '../../lib/page/saved-views.ts'
import { useUrl } from '../../lib/page/use-url.ts'
import { ViewsPanel } from './views-panel.tsx'

/** Keeps the filters of a page under a name, and comes back to them. Read when somebody opens it, so no page waits for it. */
export function Views({ always }: { readonly always: boolean }) {
  const { pathname } = useLocation()
  const [url] = useUrl()
  const [opened, setOpened] = useState(false)
  const filters = filtersOf(url)
  if (!always && !isFiltered(filters)) return null
  return (
    <Popover opened={opened} onChange={setOpened} width={320} position="bottom-end" withArrow trapFocus returnFocus>
      <Popover.Target>
        <Button variant="default" onClick={() => setOpened(!opened)}>
          Views
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Views of this page">
        <ViewsPanel page={pathname} filters={filters} onLeave={() => setOpened(false)} />
      </Popover.Dropdown>
    </Popover>
  )
}
