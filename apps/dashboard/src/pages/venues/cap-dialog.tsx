import { Button, Group, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useAction } from '../../api/use-api.ts'
import { Curl } from '../../parts/curl.tsx'
import { Modal } from '../../parts/dialogs.tsx'

interface Props {
  readonly row: { readonly strategyId: number; readonly name: string; readonly cap: string | null }
  readonly onClose: () => void
}

export function CapDialog({ row, onClose }: Props) {
  const [share, setShare] = useState(row.cap ?? '')
  const save = useAction('Cap saved.', onClose, onClose)
  const path = `/api/core/strategy-caps/${row.strategyId}`
  const set = (maxShare: string | null) => save.mutate({ method: 'PUT', path, body: { maxShare } })
  return (
    <Modal opened onClose={onClose} title={`Cap of ${row.name}`}>
      <Stack>
        <TextInput
          label="Maximum share"
          placeholder="50.00"
          description="Percent of your holdings of the token on this chain"
          value={share}
          onChange={(event) => setShare(event.currentTarget.value)}
          data-autofocus
        />
        <Group justify="flex-end">
          <Curl method="PUT" path={path} body={{ maxShare: share.trim() || null }} />
          <Button variant="default" disabled={save.isPending} onClick={() => set(null)}>
            No cap
          </Button>
          <Button loading={save.isPending} disabled={share === ''} onClick={() => set(share.trim())}>
            Save
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
