import type { UseQueryResult } from '@tanstack/react-query'
import type { Answer, ApiError } from '../../api/client.ts'
import { HELD_ROWS } from '../../api/overview-reads.ts'
import { MONITORED } from '../../api/paths.ts'
import type { Schema } from '../../api/types.ts'
import { ownLabel } from '../../lib/text/own-label.ts'
import { Empty, Section } from '../../parts/frame/page.tsx'
import { LightGroup, LightText, PageLink } from '../../parts/light.tsx'
import { columnsFor } from '../../parts/tables/columns.tsx'
import { bare, DataTable } from '../../parts/tables/data-table.tsx'
import { FirstWallet } from '../../parts/treasury/first-steps.tsx'
import { chainName, Hash, Money } from '../../parts/values.tsx'
import { exitingColumn } from '../wallets/exiting-column.ts'
import { restOf } from './rest-of.ts'

type Row = Schema<'OperationalWallet'>
const { chain, money, shown, text } = columnsFor<Row>()
const columnsWith = (wallets: readonly Row[] | undefined) => [
  shown(
    'Wallet',
    ({ address, label, id, blockchain }) => (
      <LightGroup gap="xs" wrap="nowrap">
        <PageLink to="/app/wallets" search={{ open: id }}>
          Open
        </PageLink>
        <div>
          <Hash value={address} label={label} />
          <LightText size="xs" c="dimmed">
            {chainName(blockchain)}
          </LightText>
        </div>
      </LightGroup>
    ),
    'address',
  ),
  text('Label', ({ address, label }) => ownLabel(address, label), { csvOnly: true }),
  chain('blockchain', { csvOnly: true }),
  money('Liquid', 'availableBalance', undefined, { wide: true }),
  money('Reserved', 'reservedBalance', undefined, { wide: true }),
  money('Deployed', 'deployedBalance', undefined, { wide: true }),
  exitingColumn(wallets),
  money('Total', 'totalBalance', 'token', { strong: true }),
  text('Token', 'token', { csvOnly: true }),
  money('Buffer', 'bufferAmount', undefined, { csvOnly: true }),
]

interface Props {
  readonly totals: Schema<'WalletStats'> | undefined
  readonly wallets: UseQueryResult<Answer<Row[]>, ApiError>
}

/** The newest operational wallets, with what is liquid and what is deployed. */
export function HeldWallets({ wallets, totals }: Props) {
  const rest = restOf(wallets.data, totals)
  return (
    <Section
      title="Operational wallets"
      pad={false}
      actions={
        <PageLink to="/app/wallets" size="sm">
          All wallets
        </PageLink>
      }
    >
      <DataTable
        label="Operational wallets"
        path={MONITORED}
        query={wallets}
        rows={bare}
        id={({ id }) => id}
        preview={HELD_ROWS}
        columns={columnsWith(wallets.data?.data)}
        empty={
          <Empty title="No operational wallet yet" action={<FirstWallet />}>
            Weir keeps a buffer liquid in each operational wallet and deploys the rest.
          </Empty>
        }
      />
      {rest && (
        <LightGroup gap={4} className="table-foot table-line">
          <LightText size="sm">
            <PageLink to="/app/wallets" search={{ tab: 'all' }} size="sm" underline="always">
              Addresses and tokens that are not operational
            </PageLink>{' '}
            hold <Money amount={rest} token="USD" />
          </LightText>
        </LightGroup>
      )}
    </Section>
  )
}
