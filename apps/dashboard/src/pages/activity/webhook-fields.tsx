import { Checkbox, MultiSelect, TextInput } from '@mantine/core'
import { WEBHOOK_EVENTS } from './event-names.ts'

/** Where events go, and which. */
export interface WebhookContent {
  readonly url: string
  readonly events: readonly string[]
  readonly description: string
}

interface Props {
  readonly value: WebhookContent
  readonly onChange: (next: WebhookContent) => void
}

const ALL = '*'
const MAX_DESCRIPTION = 200

export const isComplete = ({ url, events }: WebhookContent): boolean => url.trim() !== '' && events.length > 0

/** The body of the request; an empty description is left out. */
export const bodyOf = ({ url, events, description }: WebhookContent) => ({
  url: url.trim(),
  events,
  description: description.trim() || null,
})

export function WebhookFields({ value, onChange }: Props) {
  const isAll = value.events.includes(ALL)
  return (
    <>
      <TextInput
        label="Address"
        type="url"
        required
        placeholder="https://acme.example/weir"
        value={value.url}
        onChange={(event) => onChange({ ...value, url: event.currentTarget.value })}
      />
      <Checkbox
        label="Every event, including those that later versions add"
        checked={isAll}
        onChange={(event) => onChange({ ...value, events: event.currentTarget.checked ? [ALL] : [] })}
      />
      {!isAll && (
        <MultiSelect
          label="Events"
          data={[...new Set([...WEBHOOK_EVENTS, ...value.events])]}
          value={[...value.events]}
          onChange={(events) => onChange({ ...value, events })}
          searchable
          hidePickedOptions
        />
      )}
      <TextInput
        label="Description"
        value={value.description}
        maxLength={MAX_DESCRIPTION}
        onChange={(event) => onChange({ ...value, description: event.currentTarget.value })}
      />
    </>
  )
}
