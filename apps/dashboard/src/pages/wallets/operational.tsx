import { Button, Text } from '@mantine/core'
import { MONITORED } from '../../api/paths.ts'
import { useMay } from '../../api/session.tsx'
import type { Schema } from '../../api/types.ts'
import { useApi } from '../../api/use-api.ts'
import { TOKENS } from '../../lib/money/tokens.ts'
import { textOf, usePaging, useUrl, withQuery } from '../../lib/page/use-url.ts'
import { ownLabel } from '../../lib/text/own-label.ts'
import { Empty, Section } from '../../parts/frame/page.tsx'
import { columnsFor } from '../../parts/tables/columns.tsx'
import { bare, DataTable, paged } from '../../parts/tables/data-table.tsx'
import { UrlFilter } from '../../parts/tables/url-filter.tsx'
import { UrlSearch } from '../../parts/tables/url-search.tsx'
import { chainName, Money } from '../../parts/values.tsx'
import { exitingColumn } from './exiting-column.ts'

const CHAINS = ['ethereum', 'polygon', 'base', 'solana']
const { chain, hash, money, shown, text } = columnsFor<Schema<'OperationalWallet'>>()

interface Props {
  readonly onAdd: () => void
}

/** The wallets that Weir keeps at their buffer. */
export function OperationalWallets({ onAdd }: Props) {
  const [url, setUrl] = useUrl()
  const may = useMay()
  const paging = usePaging()
  const filter = {
    q: textOf(url.q),
    blockchain: CHAINS.find((each) => each === url.chain),
    token: TOKENS.find((each) => each === url.token),
    belowBuffer: url.below === 'buffer' ? 'true' : undefined,
  }
  const path = withQuery(MONITORED, filter)
  const isFiltered = path !== MONITORED
  const wallets = useApi<Schema<'OperationalWallet'>[]>(paged(path, paging.offset))
  return (
    <Section
      title="Operational wallets"
      pad={false}
      actions={
        <>
          <UrlSearch label="Label or address" name="q" />
          <UrlFilter label="Chain" placeholder="All chains" choices={CHAINS} name="chain" labelOf={chainName} w={130} />
          <UrlFilter
            label="Token"
            placeholder="All tokens"
            choices={TOKENS}
            name="token"
            labelOf={(each) => each}
            w={130}
          />
          <UrlFilter
            label="Buffer"
            placeholder="All buffers"
            choices={['buffer']}
            name="below"
            labelOf={() => 'Below the buffer'}
            w={150}
          />
        </>
      }
    >
      <DataTable
        label="Operational wallets"
        path={path}
        query={wallets}
        rows={bare}
        id={({ id }) => id}
        {...paging}
        onOpen={({ id }) => setUrl({ open: id })}
        columns={[
          hash('Wallet', 'address', { label: 'label', chain: 'blockchain' }),
          text('Label', ({ address, label }) => ownLabel(address, label), { csvOnly: true }),
          text('Wallet id', 'id', { csvOnly: true }),
          chain('blockchain', { wide: true }),
          text('Token', 'token', { csvOnly: true }),
          money('Liquid', 'availableBalance', 'token'),
          money('Deployed', 'deployedBalance', 'token', { wide: true }),
          money('Reserved', 'reservedBalance', undefined, { wide: true }),
          exitingColumn(wallets.data?.data),
          shown(
            'Buffer',
            ({ bufferAmount, enableYield }) => (
              <>
                <Money amount={bufferAmount} />
                {!enableYield && (
                  <Text size="xs" c="dimmed" component="div">
                    earns nothing
                  </Text>
                )}
              </>
            ),
            'bufferAmount',
            { right: true, wide: true },
          ),
          text('Yield', ({ enableYield }) => String(enableYield), { csvOnly: true }),
        ]}
        empty={
          isFiltered ? (
            <Empty title="No operational wallet matches">Change the filter to see others.</Empty>
          ) : (
            <Empty
              title="No operational wallet yet"
              action={
                may.administer && (
                  <Button variant="default" onClick={onAdd}>
                    Add a wallet
                  </Button>
                )
              }
            >
              Add the address of a wallet whose keys you hold, choose a buffer, and Weir plans deposits and withdrawals
              that your agent signs.
            </Empty>
          )
        }
      />
    </Section>
  )
}
