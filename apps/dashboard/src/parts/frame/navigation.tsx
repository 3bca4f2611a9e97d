import { AppShell, Badge, Box, NavLink, Text } from '@mantine/core'
import { Link, useLocation } from '@tanstack/react-router'
import { AWAITING } from '../../api/paths.ts'
import { useMay, useSession } from '../../api/session.tsx'
import type { Data } from '../../api/types.ts'
import { useApi } from '../../api/use-api.ts'
import { PAGES } from '../../lib/page/pages.ts'

const GROUPS = ['Money', 'Control', 'Build'] as const

/** The links to all pages that the user may see. */
export function Navigation({ onChosen }: { readonly onChosen: () => void }) {
  const { environment } = useSession()
  const may = useMay()
  const { pathname } = useLocation()
  return (
    <>
      <AppShell.Section grow p="xs" style={{ overflowY: 'auto' }}>
        {GROUPS.map((group) => (
          <Box key={group} mb="sm">
            <Text size="xs" c="dimmed" px="sm" py={4}>
              {group}
            </Text>
            {PAGES.filter(
              (page) =>
                page.group === group &&
                (!page.sandboxOnly || environment === 'sandbox') &&
                (!page.adminsOnly || may.administer),
            ).map(({ path, title, icon: Icon }) => (
              <NavLink
                key={path}
                className="nav-link"
                component={Link}
                to={path as never}
                label={title}
                leftSection={<Icon />}
                active={pathname === path}
                aria-current={pathname === path ? 'page' : undefined}
                onClick={onChosen}
                rightSection={path === '/app/operations' ? <Pending /> : undefined}
              />
            ))}
          </Box>
        ))}
      </AppShell.Section>
      <AppShell.Section p="sm">
        <Text size="xs" c="dimmed">
          <a href="/docs/">Documents</a> · <a href="/docs/api/">API reference</a>
        </Text>
      </AppShell.Section>
    </>
  )
}

/** How many operations wait for approval. It reads that itself, so that their arrival renders this number only. */
function Pending() {
  const pending = useApi<Data<'getOperationQueue'>>(AWAITING).data?.total ?? 0
  if (pending === 0) return null
  return (
    <Badge size="sm" variant="filled" aria-label={`${pending} waiting for approval`}>
      {pending}
    </Badge>
  )
}
