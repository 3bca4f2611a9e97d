import { Button, Menu, useMantineColorScheme } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useSession, useSessionState } from '../../api/session.tsx'
import { setPreferences, usePreferences, zones } from '../../lib/page/preferences.ts'
import { useOpening } from '../forms/use-opening.ts'

export function UserMenu() {
  const { user } = useSession()
  const { signOut } = useSessionState()
  const { zone } = usePreferences()
  const { setColorScheme } = useMantineColorScheme()
  const { target, isMounted, opened, setOpened, mount } = useOpening()
  const button = (
    <Button
      ref={target}
      variant="default"
      size="compact-md"
      aria-label={`${initials(user.name ?? user.email)}, account of ${user.email}`}
      aria-haspopup="menu"
      aria-expanded={opened}
      onClick={isMounted ? undefined : mount}
    >
      {initials(user.name ?? user.email)}
    </Button>
  )
  if (!isMounted) return button
  return (
    <Menu opened={opened} onChange={setOpened} position="bottom-end" width={240} withInitialFocusPlaceholder={false}>
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown>
        <Group label={`${user.email}, ${user.role}`}>
          <Menu.Item component={Link} to={'/app/account' as never}>
            Your account and sessions
          </Menu.Item>
        </Group>
        <Menu.Divider role="separator" />
        <Group label={`Times in ${zone}`}>
          <Menu.RadioGroup value={zone} onChange={(next) => setPreferences({ zone: next })}>
            {zones().map((each) => (
              <Menu.RadioItem key={each} value={each}>
                {each}
              </Menu.RadioItem>
            ))}
          </Menu.RadioGroup>
        </Group>
        <Menu.Divider role="separator" />
        <Menu.Item onClick={() => setColorScheme('auto')}>Use the system’s colors</Menu.Item>
        <Menu.Item onClick={() => void signOut()}>Sign out</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

/** A menu holds nothing but items and groups of them, so what stands over a group is its name. */
function Group({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms, this is a group of a menu.
    <div role="group" aria-label={label}>
      <Menu.Label aria-hidden>{label}</Menu.Label>
      {children}
    </div>
  )
}

function initials(name: string): string {
  return name
    .split(/[\s@.]+/)
    .slice(0, 2)
    .map((part) => part.charAt(0).toUpperCase())
    .join('')
}
