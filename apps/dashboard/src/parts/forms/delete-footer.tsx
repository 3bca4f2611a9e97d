import { Button, Group } from '@mantine/core'
import type { useAction } from '../../api/use-api.ts'
import { Curl } from '../curl.tsx'

interface FooterProps {
  readonly action: Pick<ReturnType<typeof useAction>, 'isPending' | 'mutate'>
  readonly path: string
  readonly label: string
  readonly keep?: string
  readonly disabled?: boolean
  readonly onClose: () => void
}

/** The end of a dialog that takes something away: the request to copy, the way back, and the act. */
export function DeleteFooter({ action, path, label, keep = 'Keep it', disabled = false, onClose }: FooterProps) {
  return (
    <Group justify="flex-end">
      <Curl method="DELETE" path={path} />
      <Button variant="default" onClick={onClose}>
        {keep}
      </Button>
      <Button
        color="red.9"
        loading={action.isPending}
        disabled={disabled}
        onClick={() => action.mutate({ method: 'DELETE', path })}
      >
        {label}
      </Button>
    </Group>
  )
}
