import { Button, Code, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { WEBHOOKS } from '../../api/paths.ts'
import { useAction } from '../../api/use-api.ts'

export function NewWebhook({ onClose }: { readonly onClose: () => void }) {
  const [address, setAddress] = useState('')
  const [events, setEvents] = useState('*')
  const [secret, setSecret] = useState<string | null>()
  const body = { url: address.trim(), events: events.split(/[\s,]+/).filter(Boolean) }
  const create = useAction<{ secret: string | null }>(undefined, ({ secret: made }) => setSecret(made), onClose)
  if (secret !== undefined) {
    return (
      <Modal opened onClose={onClose} title="The webhook's secret">
        <Stack>
          <Text size="sm">Your server verifies signatures with it. It is shown once.</Text>
          <Code block tabIndex={0}>
            {secret ?? ''}
          </Code>
          <Button onClick={onClose}>I have stored it</Button>
        </Stack>
      </Modal>
    )
  }
  return (
    <Modal opened onClose={onClose} title="A webhook">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          create.mutate({ method: 'POST', path: WEBHOOKS, body })
        }}
      >
        <Stack>
          <TextInput
            label="Address"
            type="url"
            required
            placeholder="https://acme.example/weir"
            value={address}
            onChange={(event) => setAddress(event.currentTarget.value)}
          />
          <TextInput
            label="Events"
            description="Names with commas between; * for all"
            value={events}
            onChange={(event) => setEvents(event.currentTarget.value)}
          />
          <Button type="submit" loading={create.isPending}>
            Add
          </Button>
        </Stack>
      </form>
    </Modal>
  )
}
