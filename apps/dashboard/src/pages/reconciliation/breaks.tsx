import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { useMay } from '../../api/session.tsx'
import type { Data, Schema } from '../../api/types.ts'
import { useApi } from '../../api/use-api.ts'
import { endOf } from '../../lib/dates/as-of.ts'
import { fromBaseUnits } from '../../lib/money/money.ts'
import { textOf, usePaging, useUrl, withQuery } from '../../lib/page/use-url.ts'
import { Empty, Section } from '../../parts/frame/page.tsx'
import { columnsFor } from '../../parts/tables/columns.tsx'
import { DataTable, paged } from '../../parts/tables/data-table.tsx'
import { UrlFilter } from '../../parts/tables/url-filter.tsx'
import { UrlSearch } from '../../parts/tables/url-search.tsx'
import { chainName } from '../../parts/values.tsx'
import { AcceptBreak } from './accept-break.tsx'

export const BREAKS = '/api/core/breaks'
/** As many of one state as a page of a list has. */
export const BREAKS_MAX = 100
export const ACCEPTED_BREAKS = paged(`${BREAKS}?status=accepted`, 0, BREAKS_MAX)
const STATES = ['open', 'accepted', 'closed']
const CHAINS = ['ethereum', 'polygon', 'base', 'solana']
const { buttons, chain, hash, money, state, text, time } = columnsFor<Schema<'LedgerBreak'>>()
const columns = [
  state('State', ({ status = 'open' }) => status),
  hash('Wallet', 'walletAddress', { label: ({ walletLabel }) => walletLabel, chain: 'blockchain' }),
  chain('blockchain', { wide: true }),
  // Without the decimals of the token, the amount in base units is all that is certain.
  money(
    'Ledger minus chain',
    ({ amountBaseUnits, tokenDecimals }) => fromBaseUnits(amountBaseUnits, tokenDecimals ?? 0),
    ({ token, tokenDecimals }) => (tokenDecimals == null ? 'base units' : (token ?? undefined)),
  ),
  text('Token', ({ token }) => token, { csvOnly: true }),
  hash('Token address', 'tokenAddress', { wide: true, chain: 'blockchain' }),
  time('Opened', 'openedAt'),
  time('Closed', 'closedAt', { wide: true }),
  text('Reason', 'acceptedReason', { wide: true }),
]

/** Wallets whose amount differs from the ledger, open ones first. */
export function Breaks() {
  const may = useMay()
  const paging = usePaging()
  const [accepting, setAccepting] = useState<Schema<'LedgerBreak'>>()
  const filter = useFilter()
  const path = withQuery(BREAKS, filter)
  const breaks = useApi<Data<'listBreaks'>>(paged(path, paging.offset))
  return (
    <Section title="Breaks" pad={false} actions={<Filters offset="offset" />}>
      <DataTable
        label="Breaks"
        path={path}
        query={breaks}
        rows={({ breaks: items, pagination }) => ({ items, total: pagination.total })}
        id={({ id }) => id}
        {...paging}
        columns={[
          ...columns,
          buttons('Decide', (row) =>
            may.administer && row.status === 'open' ? (
              <Button
                size="compact-xs"
                variant="default"
                aria-label={`Accept the break of ${row.walletAddress}`}
                onClick={() => setAccepting(row)}
              >
                Accept
              </Button>
            ) : null,
          ),
        ]}
        empty={
          path === BREAKS ? (
            <Empty title="No break, ever">
              A break appears when a wallet holds a different amount than the ledger says, such as after a transfer that
              Weir did not see.
            </Empty>
          ) : (
            <NoMatch />
          )
        }
      />
      {accepting && <AcceptBreak path={`${BREAKS}/${accepting.id}/accept`} onClose={() => setAccepting(undefined)} />}
    </Section>
  )
}

/** The breaks of the end of a day, in the state that they had then. */
export function BreaksAt({ day }: { readonly day: string }) {
  const paging = usePaging('breaksOffset')
  const filter = useFilter()
  const path = withQuery(BREAKS, { at: endOf(day), ...filter })
  const breaks = useApi<Data<'listBreaks'>>(paged(path, paging.offset))
  const open = breaks.data?.data.open
  return (
    <Section
      title={open === undefined ? 'Breaks' : `Breaks, ${open} of them open`}
      pad={false}
      actions={<Filters offset="breaksOffset" />}
    >
      <Text size="sm" c="dimmed" px="md" pt="sm">
        As of that day, with the latest measured difference: earlier measurements are not kept.
      </Text>
      <DataTable
        label="Breaks of that day"
        path={path}
        query={breaks}
        rows={({ breaks: items, pagination }) => ({ items, total: pagination.total })}
        id={({ id }) => id}
        {...paging}
        columns={columns}
        empty={
          Object.values(filter).every((each) => each === undefined) ? (
            <Empty title="No break until that day">No difference between ledger and chain had been found.</Empty>
          ) : (
            <NoMatch />
          )
        }
      />
    </Section>
  )
}

/** The filter of the address. */
function useFilter() {
  const [url] = useUrl()
  return {
    q: textOf(url.breakWallet),
    status: STATES.find((state) => state === url.breakState),
    blockchain: CHAINS.find((chainId) => chainId === url.breakChain),
  }
}

/** The parameters say whose filter they are: the page has more tables. */
function Filters({ offset }: { readonly offset: string }) {
  return (
    <>
      <UrlSearch label="Label or address" name="breakWallet" offset={offset} />
      <UrlFilter label="State" placeholder="All states" choices={STATES} name="breakState" offset={offset} w={130} />
      <UrlFilter
        label="Chain"
        placeholder="All chains"
        choices={CHAINS}
        name="breakChain"
        offset={offset}
        labelOf={chainName}
        w={130}
      />
    </>
  )
}

const NoMatch = () => <Empty title="No break matches">Change the filter to see others.</Empty>
