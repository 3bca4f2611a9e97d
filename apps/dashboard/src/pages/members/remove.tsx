import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { MEMBERS } from '../../api/paths.ts'
import type { Schema } from '../../api/types.ts'
import { useAction } from '../../api/use-api.ts'
import { Curl } from '../../parts/curl.tsx'
import { MAY } from './roles.tsx'

interface Props {
  readonly member: Schema<'Member'>
  readonly onClose: () => void
}

/** Says what the member can do today before it is taken away. */
export function RemoveMember({ member, onClose }: Props) {
  const remove = useAction('The member is removed.', onClose, onClose)
  return (
    <Modal opened onClose={onClose} title={`Remove ${member.email}?`}>
      <Stack>
        <Text size="sm">
          They can no longer sign in, and their sessions end at once. Today they {MAY[member.role]}. Approvals that they
          gave no longer count. Keys that they made go on working: see Developers.
        </Text>
        <Group justify="flex-end">
          <Curl method="DELETE" path={`${MEMBERS}/${member.id}`} />
          <Button variant="default" onClick={onClose}>
            Keep them
          </Button>
          <Button
            color="red.9"
            loading={remove.isPending}
            onClick={() => remove.mutate({ method: 'DELETE', path: `${MEMBERS}/${member.id}` })}
          >
            Remove
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
