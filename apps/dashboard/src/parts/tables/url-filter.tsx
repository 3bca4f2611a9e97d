import { Select } from '@mantine/core'
import { useUrl } from '../../lib/page/use-url.ts'
import { words } from '../values.tsx'

interface Props {
  readonly label: string
  /** Of all rows, such as "All states". */
  readonly placeholder: string
  readonly choices: readonly string[]
  /** The parameter of the address that holds the choice. */
  readonly name: string
  /** The parameter that holds the page of what is filtered: another filter begins at its first page. */
  readonly offset?: string
  readonly labelOf?: (choice: string) => string
  readonly w?: number
}

/** A filter that the address holds, so that a link carries it. */
export function UrlFilter({ label, placeholder, choices, name, offset = 'offset', labelOf = words, w }: Props) {
  const [url, setUrl] = useUrl()
  return (
    <Select
      aria-label={label}
      size="xs"
      {...(w === undefined ? {} : { w })}
      placeholder={placeholder}
      clearable
      data={choices.map((value) => ({ value, label: labelOf(value) }))}
      value={choices.find((choice) => choice === url[name]) ?? null}
      onChange={(next) => setUrl({ [name]: next ?? undefined, [offset]: undefined })}
    />
  )
}
