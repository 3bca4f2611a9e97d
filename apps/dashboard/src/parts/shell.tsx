import { ActionIcon, AppShell, Badge, Box, Burger, Group, Kbd, NavLink, Text, UnstyledButton } from '@mantine/core'
import { useDisclosure, useHotkeys } from '@mantine/hooks'
import { Link, useLocation, useNavigate } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useMay, useSession } from '../api/session.tsx'
import type { Data } from '../api/types.ts'
import { useApi } from '../api/use-api.ts'
import { PAGES } from '../lib/pages.ts'
import { SearchIcon } from './icons.tsx'
import { Live } from './live-switch.tsx'
import { Theme } from './theme-switch.tsx'
import { UserMenu } from './user-menu.tsx'

const Palette = lazy(() => import('./palette.tsx').then(({ Palette: component }) => ({ default: component })))

const GROUPS = ['Money', 'Control', 'Build'] as const

export function Shell({ children }: { readonly children: ReactNode }) {
  const [opened, { toggle, close }] = useDisclosure()
  const [palette, setPalette] = useState(false)
  const { organization, environment } = useSession()
  const may = useMay()
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const queue = useApi<Data<'getOperationQueue'>>('/api/core/operations/queue?limit=100&offset=0')
  const pending = (queue.data?.data.intents ?? []).filter(({ status }) => status === 'PENDING_APPROVAL').length
  useHotkeys([
    ['mod+K', () => setPalette(true)],
    ['/', () => setPalette(true)],
    ['g>o', () => void navigate({ to: '/' })],
  ])
  return (
    <AppShell
      header={{ height: 52 }}
      navbar={{ width: 220, breakpoint: 'md', collapsed: { mobile: !opened } }}
      padding={{ base: 'sm', sm: 'lg' }}
    >
      <AppShell.Header>
        <a href="#main" className="skip">
          Skip to the page
        </a>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap" gap="xs">
          <Group gap="xs" wrap="nowrap" miw={0}>
            <Burger
              opened={opened}
              onClick={toggle}
              hiddenFrom="md"
              size="sm"
              aria-label={opened ? 'Close the menu' : 'Open the menu'}
              aria-expanded={opened}
            />
            <Text fw={700} fz="lg" visibleFrom="xs">
              Weir
            </Text>
            <Text size="sm" c="dimmed" truncate maw={{ base: 100, sm: 220 }}>
              {organization.name}
            </Text>
            <Badge color={environment === 'live' ? 'red' : 'gray'} variant="light" tt="none">
              {environment}
            </Badge>
          </Group>
          <Group gap={6} wrap="nowrap">
            <UnstyledButton className="search" onClick={() => setPalette(true)} visibleFrom="sm">
              <Group gap={8} px="sm" h={32} className="search-box">
                <SearchIcon />
                <Text size="sm" c="dimmed">
                  Search
                </Text>
                <Kbd size="xs">Ctrl K</Kbd>
              </Group>
            </UnstyledButton>
            <ActionIcon
              variant="subtle"
              color="gray"
              hiddenFrom="sm"
              onClick={() => setPalette(true)}
              aria-label="Search everything"
            >
              <SearchIcon />
            </ActionIcon>
            <Live />
            <Theme />
            <UserMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar component="nav" aria-label="Pages">
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
                  onClick={close}
                  rightSection={
                    path === '/app/operations' && pending > 0 ? (
                      <Badge size="sm" variant="filled" aria-label={`${pending} wait for approval`}>
                        {pending}
                      </Badge>
                    ) : undefined
                  }
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
      </AppShell.Navbar>
      <AppShell.Main id="main" tabIndex={-1}>
        <Box maw={1280} mx="auto">
          <Suspense>{children}</Suspense>
        </Box>
      </AppShell.Main>
      {palette && (
        <Suspense>
          <Palette onClose={() => setPalette(false)} />
        </Suspense>
      )}
    </AppShell>
  )
}
