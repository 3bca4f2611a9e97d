import { Button, Center, Group, Stack } from '@mantine/core'
import { useSession, useSessionState } from '../api/session.tsx'
import { Page } from '../parts/frame/page.tsx'
import { Factors } from './account/factors.tsx'
import { Password } from './account/password.tsx'

/** What a session may do until its user has a password or a second factor of their own. */
export function Restricted() {
  const { passwordChangeRequired } = useSession()
  const { signOut } = useSessionState()
  const why = passwordChangeRequired
    ? 'Somebody else set your password. Set your own to continue.'
    : 'Your organization requires a second factor. Enroll one to continue.'
  return (
    <Center p="lg" component="main">
      <Stack maw={560} w="100%">
        <Page title="One step first" description={why}>
          {passwordChangeRequired ? <Password /> : <Factors />}
          <Group>
            <Button variant="default" onClick={() => void signOut()}>
              Sign out
            </Button>
          </Group>
        </Page>
      </Stack>
    </Center>
  )
}
