import { Badge, Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useMay } from '../api/session.tsx'
import type { Data, Schema } from '../api/types.ts'
import { useAction, useApi } from '../api/use-api.ts'
import { fromBaseUnits, grouped, rate } from '../lib/money.ts'
import { useUrl } from '../lib/use-url.ts'
import { columnsFor } from '../parts/columns.tsx'
import { DataTable } from '../parts/data-table.tsx'
import { Empty, Page, Section } from '../parts/page.tsx'
import { UrlFilter } from '../parts/url-filter.tsx'
import { chainName } from '../parts/values.tsx'

const { chain, money, shown, state } = columnsFor<Row>()

type Row = Schema<'Strategy'> &
  Pick<Schema<'Venue'>, 'blockchain' | 'protocol'> & { readonly venue: string; readonly cap: string | null }

/** The deposits that a strategy takes. */
function takes({ minDeposit, maxDeposit }: Row) {
  const least = grouped(fromBaseUnits(minDeposit ?? '0'))
  return (
    <span className="whole">{maxDeposit ? `${least} to ${grouped(fromBaseUnits(maxDeposit))}` : `from ${least}`}</span>
  )
}

const CHAINS = ['ethereum', 'polygon', 'base', 'solana']

/** Where money may earn: rates and sizes as the chain shows them, and the organization's own caps. */
export function Venues() {
  const [url] = useUrl()
  const may = useMay()
  const [capped, setCapped] = useState<Row>()
  const blockchain = CHAINS.find((chain) => chain === url.chain)
  const path = blockchain ? `/v1/venues?blockchain=${blockchain}` : '/v1/venues'
  const venues = useApi<Data<'listVenues'>>(path)
  const caps = useApi<Schema<'StrategyCap'>[]>('/api/core/strategy-caps')
  const capOf = new Map((caps.data?.data ?? []).map(({ strategyId, maxShare }) => [strategyId, maxShare]))
  return (
    <Page title="Venues" description="Strategies that Weir may deposit into, by their rate">
      <Section
        pad={false}
        title="Strategies"
        actions={<UrlFilter label="Chain" placeholder="All chains" choices={CHAINS} name="chain" labelOf={chainName} />}
      >
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
                })),
              )
              .sort((a, b) => b.apy - a.apy)
            return { items, total: items.length }
          }}
          id={({ strategyId }) => strategyId}
          columns={[
            shown(
              'Strategy',
              ({ name, venue }) => (
                <>
                  {name}
                  <Text size="xs" c="dimmed">
                    {venue}
                  </Text>
                </>
              ),
              'name',
            ),
            chain('blockchain'),
            shown('APY', ({ apy }) => <span className="whole">{rate(apy)}</span>, 'apy', { right: true }),
            money('Size', ({ tvl }) => (tvl === null ? null : fromBaseUnits(tvl)), 'token', { wide: true }),
            shown('Takes', takes, 'minDeposit', { right: true, wide: true }),
            state('State', 'status'),
            shown(
              'Your cap',
              (row) =>
                may.administer ? (
                  <Button
                    size="compact-xs"
                    variant="default"
                    onClick={() => setCapped(row)}
                    aria-label={`${row.cap ? `${row.cap} %` : 'none'}, cap of ${row.name}`}
                  >
                    {row.cap ? `${row.cap} %` : 'none'}
                  </Button>
                ) : (
                  <Badge variant="light" color="gray" tt="none">
                    {row.cap ? `${row.cap} %` : 'none'}
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
    </Page>
  )
}

function CapDialog({ row, onClose }: { readonly row: Row; readonly onClose: () => void }) {
  const [share, setShare] = useState(row.cap ?? '')
  const save = useAction('The cap is saved.', onClose)
  const set = (maxShare: string | null) =>
    save.mutate({ method: 'PUT', path: `/api/core/strategy-caps/${row.strategyId}`, body: { maxShare } })
  return (
    <Modal opened onClose={onClose} title={`Cap of ${row.name}`}>
      <Stack>
        <TextInput
          label="At most this share"
          placeholder="50.00"
          description="Percent of your holdings of the token on this chain"
          value={share}
          onChange={(event) => setShare(event.currentTarget.value)}
          data-autofocus
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={() => set(null)}>
            No cap
          </Button>
          <Button loading={save.isPending} disabled={share === ''} onClick={() => set(share.trim())}>
            Save
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
