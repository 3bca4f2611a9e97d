import { Anchor, Button, Group, Stack, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Data, Schema } from '../../api/types.ts'
import { useApi } from '../../api/use-api.ts'
import { beginningOf, dayOf, endOf, today } from '../../lib/dates/as-of.ts'
import { fromBaseUnits, sum } from '../../lib/money/money.ts'
import { usePaging, useUrl, withQuery } from '../../lib/page/use-url.ts'
import { words } from '../../lib/text/words.ts'
import { Empty } from '../../parts/frame/page.tsx'
import { columnsFor } from '../../parts/tables/columns.tsx'
import { DataTable, paged } from '../../parts/tables/data-table.tsx'
import { UrlDay } from '../../parts/tables/url-day.tsx'
import { UrlFilter } from '../../parts/tables/url-filter.tsx'
import { Money } from '../../parts/values.tsx'

type Wallet = Schema<'OperationalWallet'>
type Entry = Schema<'LedgerEntry'>
type Account = Schema<'LedgerPosting'>['account']

const OFFSET = 'entriesOffset'
const KINDS: readonly Entry['kind'][] = [
  'reserve',
  'release',
  'cover',
  'supply',
  'unwind',
  'yield',
  'loss',
  'fee',
  'external_balance',
  'external_position',
  'reclassification',
  'exit',
  'chain_reset',
]
/** What the address holds no longer when the panel of the wallet is closed. */
export const WITHOUT_LEDGER = {
  entriesOffset: undefined,
  entryKind: undefined,
  entriesFrom: undefined,
  entriesTo: undefined,
}

const WIDE = { wide: true }
const CSV = { csvOnly: true }
const { text, time, shown, hash } = columnsFor<Entry>()

/** Everything that the ledger has posted for the wallet and its token, on request: what an auditor adds up. */
export function WalletLedger({ wallet }: { readonly wallet: Wallet }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Stack gap="xs" component="section" aria-label="Ledger">
      <Group justify="space-between">
        <Title order={3} size="h5">
          Ledger
        </Title>
        {!isOpen && (
          <Button size="xs" variant="default" onClick={() => setOpen(true)}>
            Show entries
          </Button>
        )}
      </Group>
      {isOpen && <Entries wallet={wallet} />}
    </Stack>
  )
}

function Entries({ wallet }: { readonly wallet: Wallet }) {
  const paging = usePaging(OFFSET)
  const [url] = useUrl()
  const from = dayOf(url.entriesFrom, today())
  const until = dayOf(url.entriesTo, today())
  const kind = KINDS.find((each) => each === url.entryKind)
  const isFiltered = kind !== undefined || from !== undefined || until !== undefined
  const path = withQuery('/api/core/ledger-entries', {
    walletId: wallet.orgWalletId,
    token: wallet.token,
    kind,
    from: from && beginningOf(from),
    until: until && endOf(until),
  })
  const entries = useApi<Data<'listLedgerEntries'>>(paged(path, paging.offset))
  return (
    <>
      <Group gap="xs" className="no-print">
        <UrlFilter
          label="Kind of entry"
          placeholder="All kinds"
          choices={KINDS}
          name="entryKind"
          offset={OFFSET}
          w={170}
        />
        <UrlDay label="From" of="of ledger entries" name="entriesFrom" offset={OFFSET} />
        <UrlDay label="To" of="of ledger entries" name="entriesTo" offset={OFFSET} />
      </Group>
      <DataTable
        label="Ledger entries"
        path={path}
        query={entries}
        rows={({ entries: items, pagination }) => ({ items, total: pagination.total })}
        id={({ id }) => id}
        {...paging}
        columns={ledgerColumns(wallet)}
        empty={
          isFiltered ? (
            <Empty title="No entry matches">Change the filter to see others.</Empty>
          ) : (
            <Empty title="Nothing is posted yet">The first entry is the balance that the wallet came with.</Empty>
          )
        }
      />
    </>
  )
}

/** An entry by the accounts of the wallet and its token. */
export function ledgerColumns({
  tokenDecimals,
  token,
  blockchain,
}: Pick<Wallet, 'tokenDecimals' | 'token' | 'blockchain'>) {
  const amountOn = (account: Account) => (entry: Entry) => {
    const of = entry.postings.filter((each) => each.token === token && each.account === account)
    if (of.length === 0) return undefined
    return sum(of.map(({ amountBaseUnits }) => fromBaseUnits(amountBaseUnits, tokenDecimals)))
  }
  const amount = (title: string, account: Account, options: object = {}) =>
    shown(
      title,
      (entry) => {
        const moved = amountOn(account)(entry)
        return moved === undefined ? '' : <Money amount={moved} />
      },
      amountOn(account),
      { right: true, ...options },
    )
  return [
    text('Entry', 'id', CSV),
    shown('What', ({ kind }) => words(kind), 'kind'),
    amount('Liquid', 'available'),
    amount('Deployed', 'deployed'),
    amount('Reserved', 'reserved', WIDE),
    amount('Exiting', 'exiting', CSV),
    // The counterparts of the others, which make an entry sum to zero.
    amount('Yield (earned is negative)', 'yield', CSV),
    amount('External (received is negative)', 'external', CSV),
    text('Token', () => token, CSV),
    shown('Operation', ({ operationId }) => <OperationLink id={operationId} />, 'operationId', WIDE),
    text('Block', 'blockNumber', CSV),
    hash('Transaction', 'txHash', { chain: () => blockchain, ...CSV }),
    time('Posted', 'bookedAt', { isPast: true }),
  ]
}

function OperationLink({ id }: { readonly id: number | null }) {
  if (id === null) return '–'
  return (
    <Anchor component={Link} to={'/app/operations' as never} search={{ open: id } as never} size="sm">
      {id}
    </Anchor>
  )
}
