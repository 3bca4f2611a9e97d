import { Stack, Text, TextInput, UnstyledButton } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useState } from 'react'
import type { ApiError } from '../../api/client.ts'
import { useMay, useSession } from '../../api/session.tsx'
import { PAGES } from '../../lib/page/pages.ts'
import { counted } from '../../lib/text/counted.ts'
import { Modal } from '../dialogs.tsx'
import { type Found, type Results, useFound } from './use-found.ts'

const BY =
  'Wallets are found by the beginning of a label or an address; operations and payments by hash, or by id, such as “operation 5”.'

interface Status {
  readonly isSearching: boolean
  readonly count: number
  readonly results: Results | undefined
  readonly error: ApiError | null
}

/** What was searched, so that nothing found means what it says. */
function statusOf({ isSearching, count, results, error }: Status): string {
  if (error) return error.message
  if (isSearching) return 'Searching…'
  if (results === undefined) return BY
  const unsearched = results.unsearchedRecipients
  const rest =
    unsearched > 0 ? ` The names of ${counted(unsearched, 'older recipient')} were not searched; use their id.` : ''
  return `${count === 0 ? `Nothing found. ${BY}` : ''}${rest}`
}

const PAGES_SHOWN = 12
const SETTLE_MS = 200

/** Finds pages by their words, and wallets, operations, payments, recipients and members on the service. */
export function Palette({ onClose }: { readonly onClose: () => void }) {
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const navigate = useNavigate()
  const { environment } = useSession()
  const may = useMay()
  const typed = text.trim()
  const [asked] = useDebouncedValue(typed, SETTLE_MS)
  const { results, places, isReading } = useFound(asked)
  const isSearching = typed !== '' && (asked !== typed || isReading)
  const pages: Found[] = [
    ...PAGES.filter(
      (page) => (!page.sandboxOnly || environment === 'sandbox') && (!page.adminsOnly || may.administer),
    ).map(({ path, title, about }) => ({ path, title, about })),
    ...(environment === 'sandbox'
      ? [{ path: '/app/start', title: 'Put 1,000 USDC to work', about: 'The first five minutes' }]
      : []),
    { path: '/app/account', title: 'Your account', about: 'Password, second factors, sessions' },
  ]
  const wanted = typed.toLowerCase().split(/\s+/)
  const matching = pages.filter(({ title, about }) =>
    wanted.every((word) => `${title} ${about}`.toLowerCase().includes(word)),
  )
  // Until this text was searched, Enter would open what an earlier one found.
  const found = [...matching.slice(0, PAGES_SHOWN), ...(typed === '' || isSearching ? [] : places)]
  const go = (choice: Found | undefined) => {
    if (choice === undefined) return
    onClose()
    void navigate({ to: choice.path as never, search: (choice.search ?? {}) as never })
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') setAt(Math.min(at + 1, found.length - 1))
    else if (event.key === 'ArrowUp') setAt(Math.max(at - 1, 0))
    else if (event.key === 'Enter') go(found[at])
    else return
    event.preventDefault()
  }
  return (
    <Modal opened onClose={onClose} title="Search" padding="sm" size="lg" yOffset="10vh">
      <TextInput
        data-autofocus
        placeholder="Page, wallet, address, operation, payment, hash, recipient, member"
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value)
          setAt(0)
        }}
        onKeyDown={onKey}
        role="combobox"
        aria-expanded
        aria-controls="palette"
        aria-activedescendant={found[at] ? `found-${at}` : undefined}
        aria-label="Search everything"
      />
      <Stack gap={0} mt="xs" id="palette" role="listbox" aria-label="Results">
        {found.map((each, index) => (
          <UnstyledButton
            key={`${each.path} ${JSON.stringify(each.search)} ${each.title}`}
            id={`found-${index}`}
            role="option"
            aria-selected={index === at}
            tabIndex={-1}
            p="xs"
            className="found"
            onClick={() => go(each)}
          >
            <Text size="sm" fw={500} truncate>
              {each.title}
            </Text>
            <Text size="xs" c="dimmed" truncate>
              {each.about}
            </Text>
          </UnstyledButton>
        ))}
      </Stack>
      <Text size="sm" c="dimmed" p="sm" role="status">
        {statusOf({ isSearching, count: found.length, results: results.data?.data, error: results.error })}
      </Text>
    </Modal>
  )
}
