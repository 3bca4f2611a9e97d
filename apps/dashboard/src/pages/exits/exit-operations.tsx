import { Anchor, Stack, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Data, Schema } from '../../api/types.ts'
import { useApi } from '../../api/use-api.ts'
import { fromBaseUnits } from '../../lib/money/money.ts'
import { usePaging } from '../../lib/page/use-url.ts'
import { columnsFor } from '../../parts/tables/columns.tsx'
import { DataTable, paged } from '../../parts/tables/data-table.tsx'
import { Money } from '../../parts/values.tsx'
import type { Exit } from './exit-columns.tsx'

const { shown, state, time } = columnsFor<Schema<'Operation'>>()
const columnsIn = (exit: Exit) => [
  shown(
    'Operation',
    ({ operationId, exitStep }) => (
      <Anchor component={Link} to={'/app/operations' as never} search={{ open: operationId } as never} size="sm">
        {exitStep === 'claim' ? 'Claim' : exitStep === 'request' ? 'Request' : 'Withdrawal'} #{operationId}
      </Anchor>
    ),
    'operationId',
  ),
  state('State', 'status'),
  shown(
    'Amount',
    (operation) => {
      const amount = amountOf(operation, exit)
      return amount === undefined ? 'all of it' : <Money amount={amount} token={exit.token} />
    },
    (operation) => amountOf(operation, exit),
    { right: true },
  ),
  time('When', 'createdAt', { wide: true }),
]
/** What moved, or what is planned; a claim that is not settled takes all that it finds. */
function amountOf({ settledAmount, amount }: Schema<'Operation'>, { tokenDecimals }: Exit): string | undefined {
  const units = settledAmount ?? amount
  return units === null ? undefined : fromBaseUnits(units, tokenDecimals)
}

/** The withdrawals of the wallet from the strategy: what requests the money back, and what claims it. */
export function ExitOperations({ exit }: { readonly exit: Exit }) {
  const paging = usePaging('claimsOffset')
  const path = `/v1/operations?walletId=${exit.walletId}&strategyId=${exit.strategyId}&type=unwind`
  const operations = useApi<Data<'listOperations'>>(paged(path, paging.offset))
  return (
    <Stack gap="xs" component="section" aria-label="Requests and claims">
      <Title order={3} size="h5">
        Requests and claims of this wallet
      </Title>
      <DataTable
        label="Requests and claims"
        path={path}
        query={operations}
        rows={({ operations: items, total }) => ({ items, total })}
        id={({ operationId }) => operationId}
        {...paging}
        columns={columnsIn(exit)}
        empty={
          <Text size="sm" c="dimmed">
            It was requested outside Weir.
          </Text>
        }
      />
    </Stack>
  )
}
