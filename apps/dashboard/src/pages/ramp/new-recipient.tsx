import { Select, SimpleGrid, Text, TextInput } from '@mantine/core'
import { useSession } from '../../api/session.tsx'
import { useFields } from '../../lib/forms/use-fields.ts'
import { words } from '../../lib/text/words.ts'
import { FormDialog } from '../../parts/forms/form-dialog.tsx'

interface Props {
  readonly onDone: (id: number) => void
  readonly onClose: () => void
}

const TEST_ADDRESS = { street1: '1 Test Street', city: 'New York', region: 'NY', postal_code: '10001' }
const NO_ADDRESS = { street1: '', city: '', region: '', postal_code: '' }

export function NewRecipient({ onDone, onClose }: Props) {
  const { environment } = useSession()
  const { fields, bind, choose, mark } = useFields({
    name: '',
    type: 'business',
    external_id: '',
    ...(environment === 'sandbox' ? TEST_ADDRESS : NO_ADDRESS),
    country: 'US',
  })
  const { name, type, external_id, street1, city, region, postal_code } = fields
  const country = fields.country.trim().toUpperCase()
  const address = { street1, city, ...(region && { region }), ...(postal_code && { postal_code }), country }
  const hasCountry = /^[A-Z]{2}$/.test(country)
  const hasAddress = street1 !== '' || city !== ''
  const isWhole = street1 !== '' && city !== '' && hasCountry
  const body = { name, type, ...(external_id && { external_id }), ...(isWhole && { address }) }
  return (
    <FormDialog<{ id: number }>
      title="Add a recipient"
      action={{ method: 'POST', path: '/v1/ramp/recipients', body }}
      submit="Add"
      done="Recipient added. Verify it next."
      ready={name !== '' && (isWhole || !hasAddress)}
      onDone={({ id }) => onDone(id)}
      onRefused={mark}
      onClose={onClose}
    >
      <TextInput label="Name" required maxLength={200} {...bind('name')} />
      <SimpleGrid cols={2}>
        <Select
          label="Kind"
          data={['business', 'individual'].map((value) => ({ value, label: words(value) }))}
          {...choose('type')}
        />
        <TextInput label="Your own ID" placeholder="Optional" {...bind('external_id')} />
      </SimpleGrid>
      <Text size="sm" c="dimmed">
        {environment === 'sandbox'
          ? 'Banks require the address of a payee; this one is a test address.'
          : 'Banks require the address of a payee. Without one, this recipient gets no payouts.'}
      </Text>
      <SimpleGrid cols={2}>
        <TextInput label="Street and number" {...bind('street1')} />
        <TextInput label="City" {...bind('city')} />
        <TextInput label="State or region" {...bind('region')} />
        <TextInput label="Postal code" {...bind('postal_code')} />
        <TextInput
          label="Country"
          maxLength={2}
          placeholder="US"
          {...bind('country')}
          {...(hasAddress && !hasCountry && { error: 'Enter two letters, such as US' })}
        />
      </SimpleGrid>
    </FormDialog>
  )
}
