import { Button, Menu, useMantineColorScheme } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useSession, useSessionState } from '../api/session.tsx'
import { setPreferences, usePreferences, zones } from '../lib/preferences.ts'

export function UserMenu() {
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
