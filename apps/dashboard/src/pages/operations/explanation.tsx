import { Stack, Textarea, TextInput } from '@mantine/core'

export interface Explanation {
  readonly reason: string
  readonly link: string
}

interface Props {
  readonly value: Explanation
  readonly onChange: (next: Explanation) => void
}

const REASON_LENGTH_MAX = 1_000

/** Whether the service takes the link; none is fine. */
export const isLink = (text: string): boolean => text.trim() === '' || /^https:\/\/\S+$/.test(text.trim())

/** What of an explanation is said, as fields of a request. */
export const said = ({ reason, link }: Explanation) => ({
  ...(reason.trim() && { reason: reason.trim() }),
  ...(link.trim() && { link: link.trim() }),
})

/** Why somebody decides so, and where the evidence is; neither is needed. */
export function ExplanationFields({ value, onChange }: Props) {
  return (
    <Stack gap="xs">
      <Textarea
        label="Reason"
        description="Optional. Auditors read it, and it is kept."
        value={value.reason}
        onChange={(event) => onChange({ ...value, reason: event.currentTarget.value })}
        maxLength={REASON_LENGTH_MAX}
        autosize
        minRows={1}
      />
      <TextInput
        label="Link to an invoice or a ticket"
        description="Optional"
        placeholder="https://"
        value={value.link}
        onChange={(event) => onChange({ ...value, link: event.currentTarget.value })}
        error={isLink(value.link) ? undefined : 'An address that begins with https://'}
      />
    </Stack>
  )
}
