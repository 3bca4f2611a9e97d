import { Button, Group, Text } from '@mantine/core'
import { useSession } from '../../api/session.tsx'
import type { Data } from '../../api/types.ts'
import { useAction, useApi } from '../../api/use-api.ts'
import { Curl } from '../../parts/curl.tsx'

const PATH = '/api/core/auth/email-verification'

/** Whether the user proved the address of their account; until one knows, undefined. */
export function useAddressProved(): boolean | undefined {
  const { user } = useSession()
  const members = useApi<Data<'listMembers'>>('/api/core/members')
  return members.data?.data.find(({ id }) => id === user.id)?.emailVerified
}

/** The mail that proves the user's address, until it is proved. */
export function AddressProof() {
  const isProved = useAddressProved()
  const send = useAction<Data<'requestEmailVerification'>>(({ verified }) =>
    verified ? 'The address is already proved.' : 'Email sent. In the sandbox it is in the mailbox.',
  )
  if (isProved !== false) return null
  return (
    <Group gap="xs" mt="sm">
      <Text size="sm">Your address is not proved yet. Invitations need that.</Text>
      <Button
        size="xs"
        variant="default"
        loading={send.isPending}
        onClick={() => send.mutate({ method: 'POST', path: PATH })}
      >
        Send the link that proves it
      </Button>
      <Curl method="POST" path={PATH} body={{}} />
    </Group>
  )
}
