import { Anchor, Stack, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Data, Schema } from '../../api/types.ts'
import { useApi } from '../../api/use-api.ts'
import { columnsFor } from '../../parts/columns.tsx'
import { SmallTable } from '../../parts/small-table.tsx'
import { ALL_EXITS_OF, type Exit, exitColumns } from '../exits/exit-columns.tsx'

const { shown } = columnsFor<Exit>()
const columns = [
  shown(
    'Strategy',
    ({ id, strategy }) => (
      <Anchor component={Link} to={'/app/allocations' as never} search={{ exit: id } as never} size="sm">
        {strategy}
      </Anchor>
    ),
    'strategy',
  ),
  exitColumns.state,
  exitColumns.left,
  exitColumns.claimable,
]

/** What the wallet requested back from strategies that pay later; nothing where it never did. */
export function WalletExits({ wallet }: { readonly wallet: Schema<'OperationalWallet'> }) {
  const exits = useApi<Data<'listExits'>>(ALL_EXITS_OF(wallet.orgWalletId)).data?.data.exits
  const own = exits?.filter(({ opWalletId }) => opWalletId === wallet.id) ?? []
  if (own.length === 0) return null
  return (
    <Stack gap="xs" component="section" aria-label="Exits">
      <Title order={3} size="h5">
        Exits
      </Title>
      <SmallTable label="Exits" rows={own} columns={columns} id={({ id }) => id} />
    </Stack>
  )
}
