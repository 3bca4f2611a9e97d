import {
  ActionIcon,
  AppShell,
  Badge,
  Box,
  Burger,
  Button,
  Group,
  Indicator,
  Kbd,
  Menu,
  NavLink,
  ScrollArea,
  Text,
  Tooltip,
  UnstyledButton,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core'
import { useDisclosure, useHotkeys } from '@mantine/hooks'
import { Link, useLocation, useNavigate } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useLiveUpdates } from '../api/live.tsx'
import { useMay, useSession, useSessionState } from '../api/session.tsx'
import { useApi } from '../api/use-api.ts'
import { PAGES } from '../lib/pages.ts'
import { setPreferences, usePreferences, zones } from '../lib/preferences.ts'
import { MoonIcon, PauseIcon, PlayIcon, SearchIcon, SunIcon } from './icons.tsx'

const Palette = lazy(() => import('./palette.tsx').then(({ Palette: component }) => ({ default: component })))
const GROUPS = ['Money', 'Control', 'Build'] as const

export function Shell({ children }: { readonly children: ReactNode }) {
  const [opened, { toggle, close }] = useDisclosure()
  const [palette, setPalette] = useState(false)
  const { organization, environment } = useSession()
  const may = useMay()
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const queue = useApi<{ intents: { status: string }[] }>('/api/core/operations/queue?limit=100&offset=0')
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
            <Text size="sm" c="dimmed" truncate maw={{ base: 120, sm: 220 }}>
              {organization.name}
            </Text>
            <Badge color={environment === 'live' ? 'red' : 'gray'} variant="light" tt="none" miw={68}>
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
        <AppShell.Section grow component={ScrollArea} p="xs">
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
            <a href="/docs/">API reference</a>
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

/** Live updates, and the switch that holds them still. */
function Live() {
  const { paused } = usePreferences()
  const { state, waiting } = useLiveUpdates()
  const label = paused
    ? `Paused, ${waiting} new: resume`
    : state === 'live'
      ? 'Live: pause updates'
      : 'Updates every 15 seconds: pause'
  return (
    <Tooltip label={label}>
      <Indicator disabled={!paused || waiting === 0} label={waiting} size={16} offset={4}>
        <ActionIcon
          variant="subtle"
          color={paused ? 'yellow' : state === 'live' ? 'teal' : 'gray'}
          onClick={() => setPreferences({ paused: !paused })}
          aria-label={label}
          aria-pressed={paused}
        >
          {paused ? <PlayIcon /> : <PauseIcon />}
        </ActionIcon>
      </Indicator>
    </Tooltip>
  )
}

function Theme() {
  const { setColorScheme } = useMantineColorScheme()
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false })
  const label = scheme === 'dark' ? 'Use light colors' : 'Use dark colors'
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      onClick={() => setColorScheme(scheme === 'dark' ? 'light' : 'dark')}
      aria-label={label}
    >
      {scheme === 'dark' ? <SunIcon /> : <MoonIcon />}
    </ActionIcon>
  )
}

function UserMenu() {
  const { user } = useSession()
  const { signOut } = useSessionState()
  const { zone } = usePreferences()
  const { setColorScheme } = useMantineColorScheme()
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <Button
          variant="default"
          size="compact-md"
          aria-label={`${initials(user.name ?? user.email)}, account of ${user.email}`}
        >
          {initials(user.name ?? user.email)}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {user.email}, {user.role}
        </Menu.Label>
        <Menu.Item component={Link} to={'/app/account' as never}>
          Your account and sessions
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>Times in {zone}</Menu.Label>
        {zones().map((each) => (
          <Menu.Item key={each} onClick={() => setPreferences({ zone: each })} fw={each === zone ? 600 : undefined}>
            {each}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item onClick={() => setColorScheme('auto')}>Colors as the system</Menu.Item>
        <Menu.Item onClick={() => void signOut()}>Sign out</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

function initials(name: string): string {
  return name
    .split(/[\s@.]+/)
    .slice(0, 2)
    .map((part) => part.charAt(0).toUpperCase())
    .join('')
}
