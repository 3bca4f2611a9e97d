import { Anchor, Button, SimpleGrid, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { ALLOCATIONS, MONITORED } from '../../api/paths.ts'
import { useMay } from '../../api/session.tsx'
import type { Data, Schema } from '../../api/types.ts'
import { useApi } from '../../api/use-api.ts'
import { TOKENS } from '../../lib/money/tokens.ts'
import { numberOf, usePaging, useUrl, withQuery } from '../../lib/page/use-url.ts'
import { counted } from '../../lib/text/counted.ts'
import { ownLabel } from '../../lib/text/own-label.ts'
import { Drawer } from '../../parts/dialogs.tsx'
import { AsOfField, useAsOf } from '../../parts/forms/as-of-field.tsx'
import { SearchSelect } from '../../parts/forms/search-select.tsx'
import { Empty, Page, Section, Stat } from '../../parts/frame/page.tsx'
import { columnsFor } from '../../parts/tables/columns.tsx'
import { DataTable, paged } from '../../parts/tables/data-table.tsx'
import { PrintButton, Statement } from '../../parts/tables/statement.tsx'
import { UrlFilter } from '../../parts/tables/url-filter.tsx'
import { FirstDeposit } from '../../parts/treasury/first-steps.tsx'
import { strategyNamed } from '../../parts/treasury/strategy-name.tsx'
import { operationalChoice } from '../../parts/treasury/wallet-choices.ts'
import { Money, Time, words } from '../../parts/values.tsx'
import { Exiting } from '../exits/exiting.tsx'
import { Exits } from '../exits/exits.tsx'
import { Again } from './again.tsx'
import { Deploy } from './deploy.tsx'
import { LiquidityPanel } from './liquidity.tsx'
import { Position } from './position.tsx'
import { PositionsAt } from './positions-at.tsx'

const { hash, money, state, text } = columnsFor<Schema<'CoreAllocation'>>()
const strategyColumn = strategyNamed<Schema<'CoreAllocation'>>()

const PAGE = '/app/allocations'
const ABOUT = 'What each position is worth, what it has earned, and what can be withdrawn'
const STATES = ['ACTIVE', 'UNWINDING', 'CLOSED']
/** What the totals are of, whichever positions are listed. */
const HELD = 'of positions with a balance'

/** The positions of now, or those of the end of a day. */
export function Allocations() {
  const day = useAsOf()
  if (day === undefined)
    return (
      <Statement>
        <Now />
      </Statement>
    )
  return (
    <Statement>
      <Page
        hasFilters
        title="Allocations"
        description={ABOUT}
        actions={
          <>
            <AsOfField />
            <PrintButton />
          </>
        }
      >
        <PositionsAt day={day} />
      </Page>
    </Statement>
  )
}

/** Since when a position is worth that. */
const valuedAt = ({ lastUpdatedAt }: Schema<'CoreAllocation'>) => (
  <Text size="xs" c="dimmed" component="div" visibleFrom="sm">
    <Time iso={lastUpdatedAt} isPast />
  </Text>
)

function Now() {
  const [url, setUrl] = useUrl()
  const may = useMay()
  const paging = usePaging()
  const open = numberOf(url.open)
  const again = numberOf(url.again)
  const status = STATES.find((state) => state === url.status)
  const token = TOKENS.find((each) => each === url.token)
  const wallet = numberOf(url.wallet)
  const isNarrowed = token !== undefined || wallet !== undefined
  const chosen = { token, opWalletId: wallet }
  const path = withQuery(ALLOCATIONS, { ...(status ? { status } : { includeUnwinding: 'true' }), ...chosen })
  const positions = useApi<Data<'listCoreAllocations'>>(paged(path, paging.offset))
  const leaving = useApi<Data<'listCoreAllocations'>>(
    paged(withQuery(ALLOCATIONS, { status: 'UNWINDING', ...chosen }), 0, 1),
  ).data?.data.pagination
  const held = isNarrowed ? 'of those chosen, with a balance' : HELD
  const summary = positions.data?.data.portfolioSummary
  return (
    <Page
      hasFilters
      title="Allocations"
      description={ABOUT}
      actions={
        <>
          <AsOfField />
          <PrintButton />
          {may.administer && <Button onClick={() => setUrl({ form: 'deploy' })}>Deploy</Button>}
        </>
      }
    >
      <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm">
        <Stat label="Deployed, USD" value={<Money amount={summary?.totalDeployed ?? null} />} note={held} />
        <Stat label="Worth now, USD" value={<Money amount={summary?.totalValue ?? null} />} note={<Exiting />} />
        <Stat label="Yield, USD" value={<Money amount={summary?.totalYieldEarned ?? null} />} note={held} />
        <Stat
          label="Average APY"
          value={summary?.averageAPY ?? '–'}
          note={
            <>
              {summary ? counted(summary.activeAllocations + (leaving?.total ?? 0), 'position') : ' '}
              {leaving !== undefined && leaving.total > 0 && (
                <>
                  ,{' '}
                  <Anchor
                    component={Link}
                    to={PAGE as never}
                    search={{ status: 'UNWINDING', token, wallet } as never}
                    size="xs"
                  >
                    {leaving.total} being withdrawn
                  </Anchor>
                </>
              )}
            </>
          }
        />
      </SimpleGrid>
      <Section
        pad={false}
        title="Positions"
        actions={
          <>
            <SearchSelect<Schema<'OperationalWallet'>>
              label="Operational wallet"
              placeholder="All wallets"
              isFilter
              size="xs"
              w={220}
              path={MONITORED}
              choiceOf={operationalChoice}
              rowPath={wallet === undefined ? undefined : `${MONITORED}/${wallet}`}
              value={wallet === undefined ? null : String(wallet)}
              onChange={(next) => setUrl({ wallet: next ?? undefined, offset: undefined })}
            />
            <UrlFilter
              label="Token"
              placeholder="All tokens"
              choices={TOKENS}
              name="token"
              labelOf={(each) => each}
              w={130}
            />
            <UrlFilter label="State" placeholder="All with a balance" choices={STATES} name="status" />
          </>
        }
      >
        <DataTable
          label="Positions"
          path={path}
          query={positions}
          rows={({ allocations, pagination }) => ({ items: allocations, total: pagination.total })}
          id={({ id }) => id}
          {...paging}
          onOpen={({ id }) => setUrl({ open: id })}
          columns={[
            strategyColumn,
            text('Venue', 'venue', { csvOnly: true }),
            hash('Wallet', 'walletAddress', { label: 'walletLabel', wide: true }),
            text('Wallet label', ({ walletAddress, walletLabel }) => ownLabel(walletAddress, walletLabel), {
              csvOnly: true,
            }),
            text('Wallet id', 'opWalletId', { csvOnly: true }),
            text('Chain', 'blockchain', { csvOnly: true }),
            state('State', 'status', { wide: true }),
            money('Deposited', 'allocatedBase', 'token', { wide: true }),
            money('Value', 'currentValue', 'token', { below: valuedAt }),
            money('Withdrawable', ({ withdrawable }) => withdrawable ?? null, undefined, { wide: 'xl' }),
            money('Yield', 'yieldEarned', 'token'),
            text('Token', 'token', { csvOnly: true }),
            text('APY', 'apy', { right: true, wide: true }),
            text('Valued', 'lastUpdatedAt', { csvOnly: true }),
          ]}
          empty={
            <Empty
              title={
                isNarrowed
                  ? 'No position matches'
                  : status
                    ? `No position is ${words(status).toLowerCase()}`
                    : 'No position has a balance'
              }
              action={!isNarrowed && status === undefined && <FirstDeposit />}
            >
              A position appears when the first deposit is final.
            </Empty>
          }
        />
      </Section>
      <LiquidityPanel />
      <Exits />
      {may.administer && url.form === 'deploy' && <Deploy onClose={() => setUrl({ form: undefined })} />}
      {may.administer && again !== undefined && (
        <Again key={again} id={again} onClose={() => setUrl({ again: undefined })} />
      )}
      <Drawer opened={open !== undefined} onClose={() => setUrl({ open: undefined })} title="Position">
        {open !== undefined && <Position key={open} id={open} />}
      </Drawer>
    </Page>
  )
}
