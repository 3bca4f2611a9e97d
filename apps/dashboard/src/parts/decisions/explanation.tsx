import { Stack, Textarea, TextInput } from '@mantine/core'
import { FileHash } from './file-hash.tsx'

export interface Explanation {
  readonly reason: string
  readonly link: string
  /** The hash of a file that was chosen here; empty without one, null while it is not known. */
  readonly fileSha256: string | null
}

export const NO_EXPLANATION: Explanation = { reason: '', link: '', fileSha256: '' }

interface Props {
  readonly value: Explanation
  /** Gets what changed: a hash may arrive after more was typed. */
  readonly onChange: (change: Partial<Explanation>) => void
}

const REASON_LENGTH_MAX = 1_000

/** Whether the service takes the link; none is fine. */
const isLink = (text: string): boolean => text.trim() === '' || /^https:\/\/\S+$/.test(text.trim())

/** Whether all that was entered can be sent. */
export const isComplete = ({ link, fileSha256 }: Explanation): boolean => isLink(link) && fileSha256 !== null

/** What of an explanation is said, as fields of a request. */
export const said = ({ reason, link, fileSha256 }: Explanation) => ({
  ...(reason.trim() && { reason: reason.trim() }),
  ...(link.trim() && { link: link.trim() }),
  ...(fileSha256 && { fileSha256 }),
})

/** Why somebody decides so, and where the evidence is; neither is needed. */
export function ExplanationFields({ value, onChange }: Props) {
  return (
    <Stack gap="xs">
      <Textarea
        label="Reason"
        description="Optional. Auditors read it, and it is kept."
        value={value.reason}
        onChange={(event) => onChange({ reason: event.currentTarget.value })}
        maxLength={REASON_LENGTH_MAX}
        autosize
        minRows={1}
      />
      <TextInput
        label="Link to an invoice or a ticket"
        description="Optional"
        placeholder="https://"
        value={value.link}
        onChange={(event) => onChange({ link: event.currentTarget.value })}
        error={isLink(value.link) ? undefined : 'Enter an address that begins with https://'}
      />
      <FileHash onHash={(fileSha256) => onChange({ fileSha256 })} />
    </Stack>
  )
}
