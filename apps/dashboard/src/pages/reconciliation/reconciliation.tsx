import { Alert, Anchor, SimpleGrid, Skeleton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Fragment } from 'react'
import { HEALTH, WALLET_STATS } from '../../api/paths.ts'
import type { Data, Schema } from '../../api/types.ts'
import { useApi } from '../../api/use-api.ts'
import { AsOfField, useAsOf } from '../../parts/forms/as-of-field.tsx'
import { Page, Stat } from '../../parts/frame/page.tsx'
import { paged } from '../../parts/tables/data-table.tsx'
import { BalancesAt } from '../../parts/treasury/balances-at.tsx'
import { Money, words } from '../../parts/values.tsx'
import { Exiting } from '../exits/exiting.tsx'
import { agreementOf } from './agreement.ts'
import { ACCEPTED_BREAKS, BREAKS, Breaks, BreaksAt } from './breaks.tsx'
import { WalletByWallet } from './wallet-by-wallet.tsx'

const ABOUT = 'Ledger beside chain, what is open between them, and payments on their way to and from banks'
const ALERT_HEIGHT = 78
const ABOUT_DAY = 'Ledger beside chain, and what was open between them'

/**
 * The ledger beside the chain: what agrees, and what is open between them, now or at the end of a day. Of banks, Weir
 * knows the payments.
 */
export function Reconciliation() {
  const day = useAsOf()
  if (day === undefined) return <Now />
  return (
    <Page hasFilters title="Reconciliation" description={ABOUT_DAY} actions={<AsOfField />}>
      <BalancesAt day={day} />
      <BreaksAt day={day} />
    </Page>
  )
}

function Now() {
  const breaks = useApi<Data<'listBreaks'>>(paged(BREAKS, 0))
  const stats = useApi<Schema<'WalletStats'>>(WALLET_STATS)
  const ramp = useApi<Data<'summarizeOrganizationRamp'>>('/v1/ramp/org/ramp-summary')
  const open = breaks.data?.data.open
  const underWay = Object.entries(ramp.data?.data.byStatus ?? {}).filter(
    ([status]) => !/completed|failed|rejected|reversed/.test(status),
  )
  const totals = stats.data?.data
  return (
    <Page hasFilters title="Reconciliation" description={ABOUT} actions={<AsOfField />}>
      <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm">
        <Stat label="Open breaks" value={open ?? '–'} note="ledger and chain differ" />
        <Stat label="Liquid, USD" value={<Money amount={totals?.availableBalance ?? null} />} note="all wallets" />
        <Stat
          label="In positions, USD"
          value={<Money amount={totals?.deployedBalance ?? null} />}
          note={
            <>
              all wallets <Exiting />
            </>
          }
        />
        <Stat
          label="Payments in progress"
          value={ramp.data ? underWay.reduce((total, [, count]) => total + count, 0) : '–'}
          note={underWay.length === 0 ? 'between bank and chain' : <ByState counts={underWay} />}
        />
      </SimpleGrid>
      <Agreement open={open} />
      <Breaks />
      <WalletByWallet />
    </Page>
  )
}

/** Whether ledger and chain agree, with what was accepted, and with every wallet compared. */
function Agreement({ open }: { readonly open: number | undefined }) {
  const accepted = useApi<Data<'listBreaks'>>(ACCEPTED_BREAKS)
  const health = useApi<Schema<'OrganizationHealth'>>(HEALTH)
  const found = agreementOf({
    open,
    accepted: accepted.data?.data.pagination.total,
    quarantined: health.data?.data.quarantined.length,
  })
  // Where no break is open, something is said of it as soon as the rest is known.
  const isReading = [accepted, health].some(({ data, error }) => data === undefined && error === null)
  if (found === undefined)
    return open === 0 && isReading ? <Skeleton height={ALERT_HEIGHT} role="status" aria-label="Loading" /> : null
  return (
    <Alert color={found.agrees ? 'teal' : 'yellow'} title={found.title}>
      {found.text}
      {!found.isCompared && (
        <>
          {' '}
          <Anchor component={Link} to={'/app/health' as never} size="sm" underline="always">
            Quarantined wallets
          </Anchor>
        </>
      )}
    </Alert>
  )
}

/** How many payments are in each state, each a link to them with their amounts. */
function ByState({ counts }: { readonly counts: readonly (readonly [string, number])[] }) {
  return counts.map(([status, count], at) => (
    <Fragment key={status}>
      {at > 0 && ', '}
      <Anchor
        component={Link}
        to={'/app/ramp' as never}
        search={{ tab: 'payments', status } as never}
        size="xs"
        underline="always"
      >
        {count} {words(status).toLowerCase()}
      </Anchor>
    </Fragment>
  ))
}
