import { Alert, Button, SimpleGrid } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useMay, useSession } from '../../api/session.tsx'
import { Page } from '../../parts/frame/page.tsx'
import { Agents } from './agents.tsx'
import { Clock } from './clock.tsx'
import { Faucet } from './faucet.tsx'
import { Faults } from './faults.tsx'
import { Mailbox } from './mailbox.tsx'
import { Networks } from './networks.tsx'

/** The controls of the test world: money, time and failure. */
export function Sandbox() {
  const { environment } = useSession()
  const may = useMay()
  if (environment !== 'sandbox')
    return (
      <Page title="Sandbox">
        <Alert>Live has no sandbox: real chains have no faucet and no adjustable clock.</Alert>
      </Page>
    )
  return (
    <Page
      title="Sandbox"
      description="Money, time and failure on demand"
      actions={
        may.administer && (
          <Button component={Link} to={'/app/start' as never} variant="default">
            The first five minutes
          </Button>
        )
      }
    >
      {may.administer ? (
        <SimpleGrid cols={{ base: 1, md: 3 }} spacing="sm">
          <Faucet />
          <Clock />
          <Faults />
        </SimpleGrid>
      ) : (
        <Alert>Owners and admins send test tokens, move the clock, break chains and run agents here.</Alert>
      )}
      <Agents />
      <Networks />
      <Mailbox />
    </Page>
  )
}
