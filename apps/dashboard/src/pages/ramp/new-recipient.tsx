import { Select, TextInput } from '@mantine/core'
import { useFields } from '../../lib/use-fields.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'

export function NewRecipient({ onClose }: { readonly onClose: () => void }) {
  const { fields, bind, choose } = useFields({ name: '', type: 'business', external_id: '' })
  const { name, type, external_id } = fields
  const body = { name, type, ...(external_id && { external_id }) }
  return (
    <FormDialog
      title="A recipient"
      action={{ method: 'POST', path: '/v1/ramp/recipients', body }}
      submit="Add"
      done="The recipient is added; it must be verified next."
      ready={name !== ''}
      onClose={onClose}
    >
      <TextInput label="Name" required maxLength={200} {...bind('name')} />
      <Select label="Kind" data={['business', 'individual']} {...choose('type')} />
      <TextInput label="Your own id" description="Optional" {...bind('external_id')} />
    </FormDialog>
  )
}
