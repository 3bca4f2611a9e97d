import { Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { dayOf, FIRST_DAY, lastDay, problemOfDay } from '../lib/as-of.ts'
import { useUrl } from '../lib/use-url.ts'
import { useDateInput } from './use-date-input.ts'

/** The day that the address holds as `at`; undefined for now. */
export function useAsOf(): string | undefined {
  const [url] = useUrl()
  return dayOf(url.at)
}

/** Chooses the day at whose end amounts are shown. Days are those of UTC, so a link says the same everywhere. */
export function AsOfField() {
  const [url] = useUrl()
  const refused = problemOfDay(url.at) === undefined ? '' : String(url.at)
  const day = useAsOf() ?? refused
  return <Field key={day} day={day} />
}

function Field({ day }: { readonly day: string }) {
  const [, setUrl] = useUrl()
  const [typed, setTyped] = useState(day)
  const problem = problemOfDay(typed)
  const input = useDateInput(typed, 'now')
  const choose = (text: string) => {
    setTyped(text)
    if (text === '' || dayOf(text) !== undefined) setUrl({ at: text || undefined, offset: undefined, open: undefined })
  }
  return (
    <TextInput
      {...input}
      aria-label="As of the end of a day, UTC"
      leftSection={
        <Text span size="sm" c="dimmed" className="whole">
          As of
        </Text>
      }
      leftSectionWidth={56}
      w={196}
      min={FIRST_DAY}
      max={lastDay()}
      value={typed}
      error={problem && `${problem}: a day that is over, UTC`}
      onChange={(event) => choose(event.currentTarget.value)}
    />
  )
}
