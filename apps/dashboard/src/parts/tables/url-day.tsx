import { Text, TextInput } from '@mantine/core'
import { dayOf, FIRST_DAY, problemOfDay, today } from '../../lib/dates/as-of.ts'
import { useTyped } from '../../lib/forms/use-typed.ts'
import { useUrl } from '../../lib/page/use-url.ts'
import { useDateInput } from '../forms/use-date-input.ts'

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
export function UrlDay({ label, of, name, offset = 'offset' }: Props) {
  const [url, setUrl] = useUrl()
  const { typed, setTyped, sends } = useTyped(dayOf(url[name], today()) ?? '')
  const problem = problemOfDay(typed, today())
  const input = useDateInput(typed, 'any day')
  const choose = (text: string) => {
    setTyped(text)
    if (text !== '' && dayOf(text, today()) === undefined) return
    sends(text)
    setUrl({ [name]: text || undefined, [offset]: undefined })
  }
  return (
    <TextInput
      {...input}
      size="xs"
      aria-label={`${label} this day, UTC, ${of}`}
      leftSection={
        <Text span size="xs" c="dimmed" className="whole">
          {label} (UTC)
        </Text>
      }
      leftSectionWidth={76}
      w={188}
      min={FIRST_DAY}
      max={today()}
      value={typed}
      error={problem && `${problem} (UTC)`}
      onChange={(event) => choose(event.currentTarget.value)}
    />
  )
}
