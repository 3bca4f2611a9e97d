import { TextInput } from '@mantine/core'
import { useState } from 'react'

interface Props {
  readonly label: string
  readonly placeholder: string
  readonly value: string
  readonly onSet: (value: string) => void
}

/** A filter that counts when it is entered or left, and not with each letter. */
export function TextFilter({ label, placeholder, value, onSet }: Props) {
  const [text, setText] = useState(value)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        onSet(text.trim())
      }}
    >
      <TextInput
        aria-label={label}
        placeholder={placeholder}
        size="xs"
        w={170}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onBlur={() => text.trim() !== value && onSet(text.trim())}
      />
    </form>
  )
}
