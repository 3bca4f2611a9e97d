import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { API_KEYS } from '../../api/paths.ts'
import type { Schema } from '../../api/types.ts'
import { useAction } from '../../api/use-api.ts'
import { Curl } from '../../parts/curl.tsx'
import { Time } from '../../parts/values.tsx'
import { OPENS, PERMISSIONS } from './permissions.ts'

/** Says what stops working before it stops. */
export function Revoke({ row, onClose }: { readonly row: Schema<'ApiKey'>; readonly onClose: () => void }) {
  const revoke = useAction('The key is revoked.', onClose, onClose)
  const may = row.permissions ?? PERMISSIONS
  return (
    <Modal opened onClose={onClose} title={`Revoke ${row.name}?`}>
      <Stack>
        <Text size="sm">From then on, no program with this key</Text>
        <ul>
          {may.map((each) => (
            <li key={each}>{OPENS[each]}</li>
          ))}
        </ul>
        <Text size="sm">
          It was last used <Time iso={row.lastUsedAt} />
          {row.lastUsedAddress ? ` from ${row.lastUsedAddress}` : ''}. This cannot be undone.
        </Text>
        <Group justify="flex-end">
          <Curl method="DELETE" path={`${API_KEYS}/${row.id}`} />
          <Button variant="default" onClick={onClose}>
            Keep it
          </Button>
          <Button
            color="red.9"
            loading={revoke.isPending}
            onClick={() => revoke.mutate({ method: 'DELETE', path: `${API_KEYS}/${row.id}` })}
          >
            Revoke
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
