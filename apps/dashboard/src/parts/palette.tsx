import { Modal, Stack, Text, TextInput, UnstyledButton } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useState } from 'react'
import { MONITORED, WALLETS } from '../api/paths.ts'
import { useSession } from '../api/session.tsx'
import type { Data, Schema } from '../api/types.ts'
import { useApi } from '../api/use-api.ts'
import { grouped } from '../lib/money.ts'
import { PAGES } from '../lib/pages.ts'
import { chainName, words } from './values.tsx'

interface Found {
  readonly title: string
  readonly about: string
  readonly path: string
  readonly search?: Record<string, string | number>
}

const SHOWN = 12

/** An address by its label; the service labels a wallet that nobody named with the beginning of its address. */
const named = (address: string, label = ''): string =>
  label === '' || label.startsWith(address.slice(0, 6)) ? `Wallet ${address}` : `${label} ${address}`

/** What a number may be the id of. */
function byId(typed: string): Found[] {
  const id = Number(typed)
  if (!/^\d+$/.test(typed) || !Number.isSafeInteger(id)) return []
  return [
    { path: '/app/operations', search: { open: id }, title: `Operation ${id}`, about: 'By its id' },
    { path: '/app/ramp', search: { tab: 'payments', open: id }, title: `Payment ${id}`, about: 'By its id' },
  ]
}

/** Finds pages, wallets, operations, addresses, hashes and payments by what is typed. */
export function Palette({ onClose }: { readonly onClose: () => void }) {
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const navigate = useNavigate()
  const { environment } = useSession()
  const [asked] = useDebouncedValue(text.trim(), 200)
  const query = `limit=${SHOWN}&offset=0${asked && `&q=${encodeURIComponent(asked)}`}`
  const wallets = useApi<Schema<'OperationalWallet'>[]>(`${MONITORED}?${query}`)
  const history = useApi<Data<'getOperationHistory'>>('/api/core/operations/history?limit=100&offset=0')
  const known = useApi<Schema<'OrgWallet'>[]>(`${WALLETS}?${query}`)
  const payments = useApi<{
    data: { id: number; type: string; usd_amount: string; tx_hash: string | null; ramp_recipient_name: string | null }[]
  }>('/v1/ramp/transactions?limit=100&offset=0')

  const all: Found[] = [
    ...PAGES.filter((page) => !page.sandboxOnly || environment === 'sandbox').map(({ path, title, about }) => ({
      path,
      title,
      about,
    })),
    ...(environment === 'sandbox'
      ? [{ path: '/app/start', title: 'Put 1,000 USDC to work', about: 'The first five minutes' }]
      : []),
    { path: '/app/account', title: 'Your account', about: 'Password, second factors, sessions' },
    ...(wallets.data?.data ?? []).map((wallet) => ({
      path: '/app/wallets',
      search: { open: wallet.id },
      title: named(wallet.address, wallet.label),
      about: `${wallet.token} on ${chainName(wallet.blockchain)}, ${grouped(wallet.totalBalance)}`,
    })),
    ...(known.data?.data ?? [])
      .filter(({ opWallets = [] }) => opWallets.length === 0)
      .map(({ address, label, blockchain }) => ({
        path: '/app/wallets',
        search: { tab: 'all' },
        title: named(address, label),
        about: `Address on ${chainName(blockchain)}`,
      })),
    ...(history.data?.data.items ?? []).map((operation) => ({
      path: '/app/operations',
      search: { open: operation.id },
      title: `Operation ${operation.id}`,
      about: `${words(operation.type)} ${operation.amount} ${operation.token}, ${words(operation.status)} ${operation.txHash ?? ''}`,
    })),
    ...(payments.data?.data.data ?? []).map((payment) => ({
      path: '/app/ramp',
      search: { tab: 'payments', open: payment.id },
      title: `Payment ${payment.id}`,
      about: `${payment.type} of ${grouped(payment.usd_amount)} USD ${payment.ramp_recipient_name ?? ''} ${payment.tx_hash ?? ''}`,
    })),
  ]
  const typed = text.trim().toLowerCase()
  const matching = all.filter(({ title, about }) =>
    typed.split(/\s+/).every((word) => `${title} ${about}`.toLowerCase().includes(word)),
  )
  // The lists hold the newest; an older one is found by its id.
  const older = byId(typed).filter(({ title }) => !all.some((each) => each.title === title))
  const found = [...matching.slice(0, SHOWN - older.length), ...older]
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
        placeholder="Page, wallet, operation, address, hash, payment"
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
            key={`${each.path}${each.title}`}
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
      {found.length === 0 && (
        <Text size="sm" c="dimmed" p="sm" role="status">
          Nothing has this in its name, address or hash.
        </Text>
      )}
    </Modal>
  )
}
