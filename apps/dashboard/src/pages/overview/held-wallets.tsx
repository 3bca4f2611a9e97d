import { Anchor, Button, Group } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Answer, ApiError } from '../../api/client.ts'
import { MONITORED } from '../../api/paths.ts'
import type { Schema } from '../../api/types.ts'
import { columnsFor } from '../../parts/columns.tsx'
import { bare, DataTable } from '../../parts/data-table.tsx'
import { Empty, Section } from '../../parts/page.tsx'
import { Hash } from '../../parts/values.tsx'
import { exitingColumn } from '../wallets/exiting-column.ts'

/** How many of the newest the overview shows. */
export const HELD_ROWS = 6

type Row = Schema<'OperationalWallet'>
const { chain, money, shown, text } = columnsFor<Row>()
const columnsWith = (wallets: readonly Row[] | undefined) => [
  shown(
    'Wallet',
    ({ address, label, id }) => (
      <Group gap="xs" wrap="nowrap">
        <Anchor component={Link} to={'/app/wallets' as never} search={{ open: id } as never}>
          Open
        </Anchor>
        <Hash value={address} label={label} />
      </Group>
    ),
    'address',
  ),
  text('Label', 'label', { csvOnly: true }),
  chain('blockchain', { wide: true }),
  money('Liquid', 'availableBalance', 'token'),
  money('Deployed', 'deployedBalance', 'token', { wide: true }),
  ...exitingColumn(wallets),
  money('Buffer', 'bufferAmount', 'token', { wide: true }),
]

interface Props {
  readonly wallets: UseQueryResult<Answer<Row[]>, ApiError>
}

/** The newest operational wallets, with what is liquid and what is deployed. */
export function HeldWallets({ wallets }: Props) {
  return (
    <Section
      title="Wallets"
      pad={false}
      actions={
        <Anchor component={Link} to={'/app/wallets' as never} size="sm">
          All wallets
        </Anchor>
      }
    >
      <DataTable
        label="Wallets"
        path={MONITORED}
        query={wallets}
        rows={bare}
        id={({ id }) => id}
        keyOf={({ id }) => id}
        preview={HELD_ROWS}
        columns={columnsWith(wallets.data?.data)}
        empty={
          <Empty
            title="No operational wallet yet"
            action={
              <Button component={Link} to={'/app/wallets' as never} variant="default">
                Add a wallet
              </Button>
            }
          >
            Weir keeps a buffer liquid in each operational wallet and deploys the rest.
          </Empty>
        }
      />
    </Section>
  )
}
