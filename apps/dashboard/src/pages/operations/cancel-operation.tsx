import { Text } from '@mantine/core'
import { FormDialog } from '../../parts/forms/form-dialog.tsx'

/** The request that ends an operation of an API client. */
export const cancellation = (id: number) => ({ method: 'POST', path: `/v1/operations/${id}/cancel`, body: {} }) as const

export function CancelOperation({ id, onClose }: { readonly id: number; readonly onClose: () => void }) {
  return (
    <FormDialog
      title={`Cancel operation ${id}?`}
      action={cancellation(id)}
      submit="Cancel the operation"
      keep="Keep it"
      isFinal
      done="Operation cancelled."
      onClose={onClose}
    >
      <Text size="sm">
        This ends the operation for everybody and releases what it reserved. Nothing that is on the chain already is
        taken back.
      </Text>
    </FormDialog>
  )
}
