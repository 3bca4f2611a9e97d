import { Group } from '@mantine/core'
import { WALLETS } from '../../api/paths.ts'
import type { Schema } from '../../api/types.ts'
import { beginningOf, dayOf, endOf, today } from '../../lib/dates/as-of.ts'
import { numberOf, type UrlState, useUrl, withQuery } from '../../lib/page/use-url.ts'
import { SearchSelect } from '../../parts/forms/search-select.tsx'
import { UrlDay } from '../../parts/tables/url-day.tsx'
import { UrlFilter } from '../../parts/tables/url-filter.tsx'
import { UrlSearch } from '../../parts/tables/url-search.tsx'
import { walletChoice } from '../../parts/treasury/wallet-choices.ts'
import { EVENT_NAMES } from './event-names.ts'

const NAMES = ['event', 'operation', 'payment', 'wallet', 'from', 'to'] as const

/** What the address holds no longer when all events are shown. */
export const WITHOUT_FILTER = { before: undefined, ...Object.fromEntries(NAMES.map((name) => [name, undefined])) }

/** The path of the events that the address asks for. */
export function filteredEvents(path: string, url: UrlState): string {
  const from = dayOf(url.from, today())
  const to = dayOf(url.to, today())
  return withQuery(path, {
    event: EVENT_NAMES.find((name) => name === url.event),
    operationId: idOf(url.operation),
    rampTransactionId: idOf(url.payment),
    walletId: idOf(url.wallet),
    from: from && beginningOf(from),
    until: to && endOf(to),
  })
}

/** An id of the address: a positive number. */
const idOf = (value: UrlState[string]) => numberOf(value) || undefined

/** The filters of the events; the service applies them, and a link carries them. */
export function EventFilters() {
  const [url, setUrl] = useUrl()
  const wallet = idOf(url.wallet)
  return (
    <Group gap="xs" px="md" pb="xs" className="no-print">
      <UrlFilter
        label="Event"
        placeholder="All events"
        choices={EVENT_NAMES}
        name="event"
        offset="before"
        labelOf={(name) => name}
        w={175}
      />
      <UrlSearch label="Operation ID" name="operation" offset="before" w={150} />
      <UrlSearch label="Payment ID" name="payment" offset="before" w={140} />
      <SearchSelect<Schema<'OrgWallet'>>
        label="Wallet"
        placeholder="All wallets"
        isFilter
        size="xs"
        w={175}
        path={WALLETS}
        choiceOf={walletChoice}
        rowPath={wallet === undefined ? undefined : `${WALLETS}/${wallet}`}
        value={wallet === undefined ? null : String(wallet)}
        onChange={(next) => setUrl({ wallet: next ?? undefined, before: undefined })}
      />
      <UrlDay label="From" of="when it happened" name="from" offset="before" />
      <UrlDay label="To" of="when it happened" name="to" offset="before" />
    </Group>
  )
}
