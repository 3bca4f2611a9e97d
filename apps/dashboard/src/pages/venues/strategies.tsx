import { Badge, Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useMay } from '../../api/session.tsx'
import type { Data, Schema } from '../../api/types.ts'
import { useApi } from '../../api/use-api.ts'
import { fromBaseUnits, rate } from '../../lib/money/money.ts'
import { useUrl } from '../../lib/page/use-url.ts'
import { Empty, Section } from '../../parts/frame/page.tsx'
import { columnsFor } from '../../parts/tables/columns.tsx'
import { DataTable } from '../../parts/tables/data-table.tsx'
import { chainName, Status, words } from '../../parts/values.tsx'
import { BreakerAlert } from '../breakers/breaker-alert.tsx'
import type { Breaker } from '../breakers/breaker-text.ts'
import { CapDialog } from './cap-dialog.tsx'
import { ChainFilter, useChain } from './chain-filter.tsx'
import { takes } from './takes.ts'
import { takesNothing } from './terms.ts'

const { chain, money, shown, text } = columnsFor<Row>()

type Row = Schema<'Strategy'> &
  Pick<Schema<'Venue'>, 'blockchain' | 'protocol'> & {
    readonly venue: string
    readonly cap: string | null
    readonly isStopped: boolean
  }

/** The strategies, by their rate. `stopped` are the breakers that stop deposits. */
export function Strategies({ stopped }: { readonly stopped: readonly Breaker[] }) {
  const [, setUrl] = useUrl()
  const may = useMay()
  const [capped, setCapped] = useState<Row>()
  const blockchain = useChain()
  const path = blockchain ? `/v1/venues?blockchain=${blockchain}` : '/v1/venues'
  const venues = useApi<Data<'listVenues'>>(path)
  const caps = useApi<Schema<'StrategyCap'>[]>('/api/core/strategy-caps')
  const capOf = new Map((caps.data?.data ?? []).map(({ strategyId, maxShare }) => [strategyId, maxShare]))
  const stoppedIds = new Set(stopped.map(({ strategyId }) => strategyId))
  return (
    <Stack gap="lg">
      <BreakerAlert breakers={stopped} />
      <Section pad={false} title="Strategies" actions={<ChainFilter />}>
        <DataTable<Row, Data<'listVenues'>>
          label="Strategies"
          path={path}
          query={venues}
          rows={(data) => {
            const items = data.venues
              .flatMap((venue) =>
                venue.strategies.map((strategy) => ({
                  ...strategy,
                  venue: venue.name,
                  blockchain: venue.blockchain,
                  protocol: venue.protocol,
                  cap: capOf.get(strategy.strategyId) ?? null,
                  isStopped: stoppedIds.has(strategy.strategyId),
                })),
              )
              .sort((a, b) => b.apy - a.apy)
            return { items, total: items.length }
          }}
          id={({ strategyId }) => strategyId}
          onOpen={({ strategyId }) => setUrl({ open: strategyId })}
          columns={[
            shown(
              'Strategy',
              ({ name, venue, blockchain, status, isStopped, deposits, withdrawals }) => (
                <>
                  {name}
                  <Text size="xs" c="dimmed">
                    {venue}
                    <Text span inherit hiddenFrom="sm">
                      {' '}
                      on {chainName(blockchain)}
                      {status !== 'active' && `, ${words(status).toLowerCase()}`}
                      {isStopped && ', breaker open'}
                      {deposits && deposits.state !== 'open' && `, takes ${takesNothing(deposits)}`}
                      {withdrawals?.state === 'paused' && ', withdrawals paused'}
                    </Text>
                  </Text>
                </>
              ),
              'name',
            ),
            chain('blockchain', { wide: true }),
            shown('APY', ({ apy }) => <span className="whole">{rate(apy)}</span>, 'apy', { right: true }),
            money(
              'TVL',
              ({ tvl, tokenDecimals }) => (tvl === null ? null : fromBaseUnits(tvl, tokenDecimals)),
              'token',
              { wide: true },
            ),
            shown('Accepts', (row) => <span className="whole">{takes(row)}</span>, takes, { right: true, wide: true }),
            text('Token', 'token', { csvOnly: true }),
            shown(
              'State',
              ({ status, isStopped, withdrawals }) => (
                <Group gap={4}>
                  <Status value={status} />
                  {isStopped && <Status value="breaker_open" />}
                  {withdrawals?.state === 'paused' && <Status value="withdrawals_paused" />}
                </Group>
              ),
              'status',
              { wide: true },
            ),
            shown(
              'Your cap',
              (row) =>
                may.administer ? (
                  <Button
                    size="compact-xs"
                    variant="default"
                    onClick={(event) => {
                      // The row stays closed.
                      event.stopPropagation()
                      setCapped(row)
                    }}
                    aria-label={`${row.cap ? `${row.cap}%` : 'none'}, cap of ${row.name}`}
                  >
                    {row.cap ? `${row.cap}%` : 'none'}
                  </Button>
                ) : (
                  <Badge variant="light" color="gray" tt="none">
                    {row.cap ? `${row.cap}%` : 'none'}
                  </Badge>
                ),
              'cap',
              { right: true },
            ),
          ]}
          empty={<Empty title="No strategy here">The operator lists venues; none is listed for this chain.</Empty>}
        />
      </Section>
      <Text size="xs" c="dimmed">
        Rates are read from the chain and change with it. Lending carries the risk of the protocol, of its borrowers and
        of its token.
      </Text>
      {capped && <CapDialog row={capped} onClose={() => setCapped(undefined)} />}
    </Stack>
  )
}
