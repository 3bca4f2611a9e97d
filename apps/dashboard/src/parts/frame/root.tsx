import { Center, Loader, Skeleton, Stack, Text, Title } from '@mantine/core'
import { Link, Outlet } from '@tanstack/react-router'
import { Activity, lazy, Suspense, useEffect, useState } from 'react'
import type { Session } from '../../api/early-session.ts'
import { useSessionState } from '../../api/session.tsx'
import { Shell } from './shell.tsx'

const SignIn = lazy(() => import('../../pages/sign-in.tsx').then(({ SignIn: component }) => ({ default: component })))
const Restricted = lazy(() =>
  import('../../pages/restricted.tsx').then(({ Restricted: component }) => ({ default: component })),
)

const isRestricted = ({ passwordChangeRequired, enrollmentRequired }: Session) =>
  passwordChangeRequired || enrollmentRequired

/**
 * The page for signed-in users; the sign-in for everybody else, on the same address, to return to it. Under the sign-in
 * after a session that ended, the page of its person waits: hidden, without reads, and with what they had typed.
 */
export function Root() {
  const { state } = useSessionState()
  const session = state.kind === 'in' ? state.session : state.kind === 'out' ? state.kept : undefined
  const isOpen = state.kind === 'in' && !isRestricted(state.session)
  return (
    <>
      {!isOpen && <Gate />}
      {session && !isRestricted(session) && (
        <Activity mode={isOpen ? 'visible' : 'hidden'}>
          <Shell>
            <Suspense fallback={<PagePending />}>
              <Outlet />
            </Suspense>
          </Shell>
        </Activity>
      )}
    </>
  )
}

/** What stands before the page. */
function Gate() {
  const { state } = useSessionState()
  if (state.kind === 'loading') return <Waiting />
  return <Suspense>{state.kind === 'out' ? <SignIn ended={state.ended} /> : <Restricted />}</Suspense>
}

const PATIENCE_MS = 300

/** Most sessions are here before anybody would see a sign of waiting, and to show one would hold up the page. */
function Waiting() {
  const [isLong, setIsLong] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setIsLong(true), PATIENCE_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    isLong && (
      <Center mih="100vh" component="main">
        <Loader aria-label="Loading" />
      </Center>
    )
  )
}

/** While the file of a page is on its way. */
export const PagePending = () => <Skeleton height={480} role="status" aria-label="Loading" />

export function Missing() {
  return (
    <Stack gap="xs">
      <Title order={1} size="h2">
        Page not found
      </Title>
      <Text>
        <Link to="/">Go to the overview</Link>
      </Text>
    </Stack>
  )
}
