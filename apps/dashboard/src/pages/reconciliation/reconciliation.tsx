import { Alert, SimpleGrid } from '@mantine/core'
import { WALLET_STATS } from '../../api/paths.ts'
import type { Data, Schema } from '../../api/types.ts'
import { useApi } from '../../api/use-api.ts'
import { AsOfField, useAsOf } from '../../parts/as-of-field.tsx'
import { BalancesAt } from '../../parts/balances-at.tsx'
import { paged } from '../../parts/data-table.tsx'
import { Page, Stat } from '../../parts/page.tsx'
import { Money } from '../../parts/values.tsx'
import { Exiting } from '../exits/exiting.tsx'
import { BREAKS, Breaks, BreaksAt } from './breaks.tsx'
import { WalletByWallet } from './wallet-by-wallet.tsx'

const ABOUT = 'Ledger, chain and bank, and what is open between them'

/** The ledger beside the chain and the bank: what agrees, and what is open between them; or at the end of a day. */
export function Reconciliation() {
  const day = useAsOf()
  if (day === undefined) return <Now />
  return (
    <Page hasFilters title="Reconciliation" description={ABOUT} actions={<AsOfField />}>
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
  const underWay = Object.entries(ramp.data?.data.byStatus ?? {})
    .filter(([status]) => !/completed|failed|rejected|reversed/.test(status))
    .reduce((total, [, count]) => total + count, 0)
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
        <Stat label="Payments in progress" value={ramp.data ? underWay : '–'} note="between bank and chain" />
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
