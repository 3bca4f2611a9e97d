import { Anchor, Button, Group, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { WALLETS } from '../../api/paths.ts'
import { useMay } from '../../api/session.tsx'
import type { Schema } from '../../api/types.ts'
import { useApi } from '../../api/use-api.ts'
import { textOf, usePaging, useUrl, withQuery } from '../../lib/page/use-url.ts'
import { Empty, Section } from '../../parts/frame/page.tsx'
import { columnsFor } from '../../parts/tables/columns.tsx'
import { bare, DataTable, paged } from '../../parts/tables/data-table.tsx'
import { UrlFilter } from '../../parts/tables/url-filter.tsx'
import { UrlSearch } from '../../parts/tables/url-search.tsx'
import { chainName } from '../../parts/values.tsx'

type Row = Schema<'OrgWallet'>

const CHAINS = ['ethereum', 'polygon', 'base', 'solana']
const { label, chain, hash, shown, text, time } = columnsFor<Row>()

interface Props {
  /** Makes this address operational. */
  readonly onAdd: (wallet: Row) => void
}

/** Every address of the organization, operational or not. */
export function Addresses({ onAdd }: Props) {
  const [url] = useUrl()
  const paging = usePaging()
  const may = useMay()
  const path = withQuery(WALLETS, { q: textOf(url.q), blockchain: CHAINS.find((each) => each === url.chain) })
  const addresses = useApi<Row[]>(paged(path, paging.offset))
  return (
    <Section
      title="All addresses"
      pad={false}
      actions={
        <>
          <UrlSearch label="Label or address" name="q" />
          <UrlFilter label="Chain" placeholder="All chains" choices={CHAINS} name="chain" labelOf={chainName} w={130} />
        </>
      }
    >
      <Text size="sm" c="dimmed" px="md" pt="sm">
        Weir puts to work what operational wallets hold above their buffers. Other addresses earn only what their owners
        deposit themselves.
      </Text>
      <DataTable
        label="All addresses"
        path={path}
        query={addresses}
        rows={bare}
        id={({ id }) => id}
        {...paging}
        columns={[
          label('Label', 'label'),
          hash('Address', 'address', { chain: 'blockchain' }),
          chain('blockchain', { wide: true }),
          shown(
            'Operational',
            (wallet) => <Operational wallet={wallet} onAdd={may.administer ? onAdd : undefined} />,
            ({ opWallets = [] }) => opWallets.map(({ token }) => token).join(' '),
          ),
          text('Custody', 'custodyProvider', { wide: true }),
          time('Added', 'createdAt', { wide: true }),
        ]}
        empty={
          path === WALLETS ? (
            <Empty title="No address yet">Addresses that you add, and those that clients register, appear here.</Empty>
          ) : (
            <Empty title="No address matches">Change the filter to see others.</Empty>
          )
        }
      />
    </Section>
  )
}

/** The tokens that the wallet is operational for; where there are none, the way to become operational. */
function Operational({ wallet, onAdd }: { readonly wallet: Row; readonly onAdd: Props['onAdd'] | undefined }) {
  const { opWallets = [], label } = wallet
  if (opWallets.length === 0) {
    return onAdd === undefined ? (
      'No'
    ) : (
      <Button
        size="compact-xs"
        variant="default"
        aria-label={`Make operational: ${label}`}
        onClick={() => onAdd(wallet)}
      >
        Make operational
      </Button>
    )
  }
  return (
    <Group gap="xs">
      {opWallets.map(({ opWalletId, token }) => (
        <Anchor
          key={opWalletId}
          component={Link}
          to={'/app/wallets' as never}
          search={{ open: opWalletId } as never}
          size="sm"
          aria-label={`${token}, open ${label}`}
        >
          {token}
        </Anchor>
      ))}
    </Group>
  )
}
