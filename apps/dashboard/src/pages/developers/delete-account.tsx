import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { SERVICE_ACCOUNTS } from '../../api/paths.ts'
import type { Schema } from '../../api/types.ts'
import { useAction } from '../../api/use-api.ts'
import { Curl } from '../../parts/curl.tsx'
import { Time } from '../../parts/values.tsx'
import { lastUse } from './last-use.ts'

/** Says what stops working before it stops. */
export function DeleteAccount({
  row,
  onClose,
}: {
  readonly row: Schema<'ServiceAccount'>
  readonly onClose: () => void
}) {
  const remove = useAction('The service account is deleted.', onClose, onClose)
  const path = `${SERVICE_ACCOUNTS}/${row.id}`
  return (
    <Modal opened onClose={onClose} title={`Delete ${row.name}?`}>
      <Stack>
        <Text size="sm">
          From then on its secrets are refused; what it created stays. It was last used <Time iso={lastUse(row)} />.
          This cannot be undone.
        </Text>
        <Group justify="flex-end">
          <Curl method="DELETE" path={path} />
          <Button variant="default" onClick={onClose}>
            Keep it
          </Button>
          <Button color="red.9" loading={remove.isPending} onClick={() => remove.mutate({ method: 'DELETE', path })}>
            Delete
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
