import { Text, TextInput } from '@mantine/core'
import { dayOf, FIRST_DAY, lastDay, problemOfDay } from '../../lib/dates/as-of.ts'
import { useTyped } from '../../lib/forms/use-typed.ts'
import { useUrl } from '../../lib/page/use-url.ts'
import { useDateInput } from './use-date-input.ts'

/** The day that the address holds as `at`; undefined for now. */
export function useAsOf(): string | undefined {
  const [url] = useUrl()
  return dayOf(url.at)
}

/** Chooses the day at whose end amounts are shown. Days are those of UTC, so a link says the same everywhere. */
export function AsOfField() {
  const [url, setUrl] = useUrl()
  const refused = problemOfDay(url.at) === undefined ? '' : String(url.at)
  const day = useAsOf() ?? refused
  const { typed, setTyped, sends } = useTyped(day)
  const problem = problemOfDay(typed)
  const input = useDateInput(typed, 'now')
  const choose = (text: string) => {
    setTyped(text)
    if (text !== '' && dayOf(text) === undefined) return
    sends(text)
    setUrl({ at: text || undefined, offset: undefined, open: undefined })
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
