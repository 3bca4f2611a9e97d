import { Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { API_KEYS } from '../../api/paths.ts'
import type { Schema } from '../../api/types.ts'
import { useAction } from '../../api/use-api.ts'
import { Modal } from '../../parts/dialogs.tsx'
import { DeleteFooter } from '../../parts/forms/delete-footer.tsx'
import { Time } from '../../parts/values.tsx'
import { powersOf } from './permissions.ts'

/** Says what stops working before it stops, and what keeps working. */
export function Revoke({ row, onClose }: { readonly row: Schema<'ApiKey'>; readonly onClose: () => void }) {
  const [isDone, setIsDone] = useState(false)
  const revoke = useAction('Key revoked.', () => setIsDone(true), onClose)
  if (isDone)
    return (
      <Modal opened onClose={onClose} title={`${row.name} is revoked`}>
        <Stack>
          <Text size="sm">
            Every request with it is refused, in every process. What it planned continues: an operation that waits keeps
            waiting, and bytes that a program already has can still be sent.
          </Text>
          <Group justify="space-between">
            <Anchor component={Link} to={'/app/operations' as never} size="sm">
              Unfinished operations
            </Anchor>
            <Button onClick={onClose}>Close</Button>
          </Group>
        </Stack>
      </Modal>
    )
  return (
    <Modal opened onClose={onClose} title={`Revoke ${row.name}?`}>
      <Stack>
        <Text size="sm">From then on, no program with this key</Text>
        <ul>
          {powersOf(row).map((each) => (
            <li key={each}>{each}</li>
          ))}
        </ul>
        <Text size="sm">
          It was last used <Time iso={row.lastUsedAt} />
          {row.lastUsedAddress ? ` from ${row.lastUsedAddress}` : ''}. This cannot be undone.
        </Text>
        <DeleteFooter action={revoke} path={`${API_KEYS}/${row.id}`} label="Revoke" onClose={onClose} />
      </Stack>
    </Modal>
  )
}
