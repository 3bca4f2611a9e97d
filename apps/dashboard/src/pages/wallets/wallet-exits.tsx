import { Anchor, Stack, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Data, Schema } from '../../api/types.ts'
import { useApi } from '../../api/use-api.ts'
import { usePaging } from '../../lib/page/use-url.ts'
import { columnsFor } from '../../parts/tables/columns.tsx'
import { DataTable, paged } from '../../parts/tables/data-table.tsx'
import { EXITS, type Exit, exitColumns } from '../exits/exit-columns.tsx'

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
  const paging = usePaging('exitsOffset')
  const path = `${EXITS}?opWalletId=${wallet.id}`
  const exits = useApi<Data<'listExits'>>(paged(path, paging.offset))
  if (exits.data === undefined || exits.data.data.pagination.total === 0) return null
  return (
    <Stack gap="xs" component="section" aria-label="Exits">
      <Title order={3} size="h5">
        Exits
      </Title>
      <DataTable
        label="Exits"
        path={path}
        query={exits}
        rows={({ exits: items, pagination }) => ({ items, total: pagination.total })}
        id={({ id }) => id}
        {...paging}
        columns={columns}
        empty={null}
      />
    </Stack>
  )
}
