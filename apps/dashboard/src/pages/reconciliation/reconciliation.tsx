import { Alert, Anchor, SimpleGrid } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Fragment } from 'react'
import { WALLET_STATS } from '../../api/paths.ts'
import type { Data, Schema } from '../../api/types.ts'
import { useApi } from '../../api/use-api.ts'
import { AsOfField, useAsOf } from '../../parts/as-of-field.tsx'
import { BalancesAt } from '../../parts/balances-at.tsx'
import { paged } from '../../parts/data-table.tsx'
import { Page, Stat } from '../../parts/page.tsx'
import { Money, words } from '../../parts/values.tsx'
import { Exiting } from '../exits/exiting.tsx'
import { BREAKS, Breaks, BreaksAt } from './breaks.tsx'
import { WalletByWallet } from './wallet-by-wallet.tsx'

const ABOUT = 'Ledger beside chain, what is open between them, and payments on their way to and from banks'
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
      {open === 0 && (
        <Alert color="teal" title="Ledger and chain agree">
          Every final block is compared with the ledger. A difference opens a break here.
        </Alert>
      )}
      <Breaks />
      <WalletByWallet />
    </Page>
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
