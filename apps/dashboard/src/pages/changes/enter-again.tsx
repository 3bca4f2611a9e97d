import { PasswordInput, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Action } from '../../api/use-api.ts'
import { words } from '../../lib/text/words.ts'
import { FormDialog } from '../../parts/forms/form-dialog.tsx'
import { type MaskedField, unmasked } from './secrets.ts'

interface Props {
  /** The approved request as it was stored. */
  readonly completion: Action
  readonly masked: readonly MaskedField[]
  readonly onDone: (made: unknown) => void
  readonly onClose: () => void
}

/** Repeats an approved request whose secret or account number nobody stored: only these are entered again. */
export function EnterAgain({ completion, masked, onDone, onClose }: Props) {
  const [entered, setEntered] = useState<Readonly<Record<string, string>>>({})
  const isWhole = masked.every(({ names }) => (entered[names.join('.')] ?? '') !== '')
  return (
    <FormDialog
      title="Enter the details again"
      action={{ ...completion, body: unmasked(completion.body, entered) }}
      shown={completion.body as object}
      submit="Make the change"
      isShownOnce
      done="Change made."
      ready={isWhole}
      onDone={onDone}
      onClose={onClose}
    >
      <Text size="sm">Enter exactly what was in the request. Everything else is sent as it was approved.</Text>
      {masked.map(({ names, mask }) => {
        const id = names.join('.')
        // Of a number that approvers recognize, the last four characters are left.
        const ending = mask.replace(/^[•*]+/, '')
        const Field = ending === '' ? PasswordInput : TextInput
        return (
          <Field
            key={id}
            label={words(labelOf(names))}
            {...(ending !== '' && { description: `It ends with ${ending}` })}
            required
            value={entered[id] ?? ''}
            onChange={(event) => setEntered((before) => ({ ...before, [id]: event.currentTarget.value }))}
            autoComplete="off"
          />
        )
      })}
    </FormDialog>
  )
}

const labelOf = (names: readonly string[]): string =>
  (names.at(-1) ?? '').replaceAll(/([a-z])([A-Z])/g, '$1_$2').toLowerCase()
