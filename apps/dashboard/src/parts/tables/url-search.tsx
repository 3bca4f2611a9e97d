import { CloseButton, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useTyped } from '../../lib/forms/use-typed.ts'
import { useUrl } from '../../lib/page/use-url.ts'
import { SearchIcon } from '../icons.tsx'

const SETTLE_MS = 250

interface Props {
  readonly label: string
  /** The parameter of the address that holds the text. */
  readonly name: string
  /** The parameter that holds the page of what is searched: another text begins at its first page. */
  readonly offset?: string
  readonly w?: number
}

/** A search that the service answers and the address holds, so that a link carries it. */
export function UrlSearch({ label, name, offset = 'offset', w = 220 }: Props) {
  const [url, setUrl] = useUrl()
  const held = String(url[name] ?? '')
  const { typed, setTyped, sends } = useTyped(held)
  const settle = useDebouncedCallback((text: string) => {
    sends(text)
    setUrl({ [name]: text, [offset]: undefined })
  }, SETTLE_MS)
  const type = (text: string) => {
    setTyped(text)
    settle(text.trim())
  }
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={label}
      size="xs"
      w={w}
      value={typed}
      onChange={(event) => type(event.currentTarget.value)}
      leftSection={<SearchIcon />}
      rightSection={typed !== '' && <CloseButton size="xs" aria-label={`Clear ${label}`} onClick={() => type('')} />}
      maxLength={100}
      spellCheck={false}
      autoComplete="off"
    />
  )
}
