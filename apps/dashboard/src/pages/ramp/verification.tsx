import { Anchor, Button, Group, Text } from '@mantine/core'
import { useMay, useSession } from '../../api/session.tsx'
import type { Schema } from '../../api/types.ts'
import { useAction } from '../../api/use-api.ts'
import { Curl } from '../../parts/curl.tsx'
import { Section } from '../../parts/frame/page.tsx'

/** The steps of a verification, with the next one as a button. */
export function Verification({ kyb, onOpen }: { readonly kyb: Schema<'KybStatus'>; readonly onOpen: () => void }) {
  const may = useMay()
  const { environment } = useSession()
  const start = useAction<{ kyb_url: string }>('The verification has begun. Open its form to continue.')
  const check = useAction('Status updated.')
  const simulate = useAction('Decided by the sandbox.')
  const status = kyb.kybStatus
  const act = (mutation: typeof check, path: string) => () =>
    mutation.mutate({ method: 'POST', path: `/v1/ramp/org/kyb/${path}`, body: {} })
  return (
    <Section title="Your verification">
      <ol className="timeline">
        <li {...(status ? { 'data-done': true } : {})}>
          <Text size="sm" fw={500}>
            Begin
          </Text>
          <Text size="sm" c="dimmed">
            The banking partner must verify your company before money moves.
          </Text>
          {status === null && may.administer && (
            <Group gap="xs" mt="xs">
              <Button size="xs" loading={start.isPending} onClick={act(start as never, 'start')}>
                Begin the verification
              </Button>
              <Curl method="POST" path="/v1/ramp/org/kyb/start" body={{}} />
            </Group>
          )}
        </li>
        <li {...(status === 'submitted' || status === 'approved' ? { 'data-done': true } : {})}>
          <Text size="sm" fw={500}>
            Fill in the form
          </Text>
          <Text size="sm" c="dimmed">
            Company, owners, address. The form opens in its own page.
          </Text>
          {status === 'pending' && kyb.applicationUrl && (
            <Anchor size="sm" href={kyb.applicationUrl} target="_blank" rel="noreferrer">
              Open the form
            </Anchor>
          )}
        </li>
        <li {...(status === 'approved' ? { 'data-done': true } : status === 'declined' ? { 'data-failed': true } : {})}>
          <Text size="sm" fw={500}>
            {status === 'approved' ? 'Approved' : status === 'declined' ? 'Declined' : 'The partner decides'}
          </Text>
          {status !== null && status !== 'approved' && may.administer && (
            <Group gap="xs" mt="xs">
              <Button size="xs" variant="default" loading={check.isPending} onClick={act(check, 'check-status')}>
                Check again
              </Button>
              <Curl method="POST" path="/v1/ramp/org/kyb/check-status" body={{}} />
              {environment === 'sandbox' && (
                <>
                  <Button size="xs" loading={simulate.isPending} onClick={act(simulate, 'simulate-approve')}>
                    Approve (sandbox)
                  </Button>
                  <Curl method="POST" path="/v1/ramp/org/kyb/simulate-approve" body={{}} />
                  <Button size="xs" variant="default" onClick={act(simulate, 'simulate-reject')}>
                    Decline
                  </Button>
                  <Curl method="POST" path="/v1/ramp/org/kyb/simulate-reject" body={{}} />
                </>
              )}
            </Group>
          )}
        </li>
        <li {...(kyb.onrampAccounts.length > 0 ? { 'data-done': true } : {})}>
          <Text size="sm" fw={500}>
            Open accounts
          </Text>
          <Text size="sm" c="dimmed">
            A bank account that turns dollars into tokens in your wallet, and an address that pays out to a bank.
          </Text>
          {status === 'approved' && may.administer && (
            <Button mt="xs" size="xs" onClick={onOpen}>
              Open an account
            </Button>
          )}
        </li>
      </ol>
    </Section>
  )
}
