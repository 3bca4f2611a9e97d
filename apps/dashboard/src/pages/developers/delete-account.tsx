import { Stack, Text } from '@mantine/core'
import { SERVICE_ACCOUNTS } from '../../api/paths.ts'
import type { Schema } from '../../api/types.ts'
import { useAction } from '../../api/use-api.ts'
import { Modal } from '../../parts/dialogs.tsx'
import { DeleteFooter } from '../../parts/forms/delete-footer.tsx'
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
  const remove = useAction('Service account deleted.', onClose, onClose)
  const path = `${SERVICE_ACCOUNTS}/${row.id}`
  return (
    <Modal opened onClose={onClose} title={`Delete ${row.name}?`}>
      <Stack>
        <Text size="sm">
          From then on its secrets are refused; what it created stays. It was last used <Time iso={lastUse(row)} />.
          This cannot be undone.
        </Text>
        <DeleteFooter action={remove} path={path} label="Delete" onClose={onClose} />
      </Stack>
    </Modal>
  )
}
