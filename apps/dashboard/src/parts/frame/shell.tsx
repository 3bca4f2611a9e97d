import { ActionIcon, AppShell, Badge, Box, Burger, Group, Kbd, Text, UnstyledButton } from '@mantine/core'
import { useDisclosure, useHotkeys, useMediaQuery } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useSession } from '../../api/session.tsx'
import { SearchIcon } from '../icons.tsx'
import { isCovered } from './escape.ts'
import { InTurn } from './in-turn.tsx'
import { Live } from './live-switch.tsx'
import { Navigation } from './navigation.tsx'
import { ReachNotice } from './reach-notice.tsx'
import { Theme } from './theme-switch.tsx'
import { UserMenu } from './user-menu.tsx'

const Palette = lazy(() => import('./palette.tsx').then(({ Palette: component }) => ({ default: component })))

/** From here on the menu is beside the page; on less it waits behind a button. */
const WIDE = '(min-width: 62em)'

export function Shell({ children }: { readonly children: ReactNode }) {
  const [wasOpened, setWasOpened] = useState(false)
  const [opened, { toggle, close }] = useDisclosure(false, { onOpen: () => setWasOpened(true) })
  const isWide = useMediaQuery(WIDE, undefined, { getInitialValueInEffect: false })
  const [palette, setPalette] = useState(false)
  const { organization, environment } = useSession()
  const navigate = useNavigate()
  const search = () => isCovered() || setPalette(true)
  useHotkeys([
    ['mod+K', search],
    ['/', search],
    ['g>o', () => isCovered() || void navigate({ to: '/' })],
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
        {(isWide || wasOpened) && <Navigation onChosen={close} />}
      </AppShell.Navbar>
      <AppShell.Main id="main" tabIndex={-1}>
        <Box maw={1280} mx="auto">
          <ReachNotice />
          <InTurn first={0} rest={null}>
            <Suspense>{children}</Suspense>
          </InTurn>
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
