import { Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { dayOf, FIRST_DAY, problemOfDay, today } from '../lib/as-of.ts'
import { useUrl } from '../lib/use-url.ts'
import { useDateInput } from './use-date-input.ts'

interface Props {
  /** `From` or `To`. */
  readonly label: string
  /** What the day is of, for screen readers. */
  readonly of: string
  /** The parameter of the address that holds the day. */
  readonly name: string
  /** The parameter that holds the page of what is filtered. */
  readonly offset?: string
}

/** A day of UTC that the address holds: a link says the same everywhere. */
export function UrlDay(props: Props) {
  const [url] = useUrl()
  const day = dayOf(url[props.name], today()) ?? ''
  return <Field key={day} day={day} {...props} />
}

function Field({ day, label, of, name, offset = 'offset' }: Props & { readonly day: string }) {
  const [, setUrl] = useUrl()
  const [typed, setTyped] = useState(day)
  const input = useDateInput(typed, 'any day')
  const choose = (text: string) => {
    setTyped(text)
    if (text === '' || dayOf(text, today()) !== undefined) setUrl({ [name]: text || undefined, [offset]: undefined })
  }
  return (
    <TextInput
      {...input}
      size="xs"
      aria-label={`${label} this day, UTC, ${of}`}
      leftSection={
        <Text span size="xs" c="dimmed">
          {label}
        </Text>
      }
      leftSectionWidth={40}
      w={152}
      min={FIRST_DAY}
      max={today()}
      value={typed}
      error={problemOfDay(typed, today())}
      onChange={(event) => choose(event.currentTarget.value)}
    />
  )
}
