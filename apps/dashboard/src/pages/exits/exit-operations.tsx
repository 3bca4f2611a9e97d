import { Anchor, Stack, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Data, Schema } from '../../api/types.ts'
import { useApi } from '../../api/use-api.ts'
import { fromBaseUnits } from '../../lib/money.ts'
import { columnsFor } from '../../parts/columns.tsx'
import { Loaded } from '../../parts/page.tsx'
import { SmallTable } from '../../parts/small-table.tsx'
import { Money } from '../../parts/values.tsx'
import type { Exit } from './exit-columns.tsx'

const { shown, state, time } = columnsFor<Schema<'Operation'>>()
const columnsIn = (token: string) => [
  shown(
    'Operation',
    ({ operationId, exitStep }) => (
      <Anchor component={Link} to={'/app/operations' as never} search={{ open: operationId } as never} size="sm">
        {exitStep === 'claim' ? 'Claim' : 'Request'} #{operationId}
      </Anchor>
    ),
    'operationId',
  ),
  state('State', 'status'),
  shown(
    'Amount',
    (operation) => {
      const amount = amountOf(operation)
      return amount === undefined ? 'all of it' : <Money amount={amount} token={token} />
    },
    amountOf,
    { right: true },
  ),
  time('When', 'createdAt', { wide: true }),
]
/** What moved, or what is planned; a claim that is not settled takes all that it finds. */
function amountOf({ settledAmount, amount }: Schema<'Operation'>): string | undefined {
  const units = settledAmount ?? amount
  return units === null ? undefined : fromBaseUnits(units)
}

/** The operations of the wallet that request money back from the strategy, and that claim it. */
export function ExitOperations({ exit }: { readonly exit: Exit }) {
  const operations = useApi<Data<'listOperations'>>(
    `/v1/operations?walletId=${exit.walletId}&type=unwind&limit=100&offset=0`,
  )
  return (
    <Stack gap="xs" component="section" aria-label="Requests and claims">
      <Title order={3} size="h5">
        Requests and claims of this wallet
      </Title>
      <Loaded query={operations} height={80}>
        {({ operations: all, hasMore }) => {
          const own = all.filter(({ strategyId, exitStep }) => strategyId === exit.strategyId && exitStep !== undefined)
          return own.length === 0 ? (
            <Text size="sm" c="dimmed">
              {hasMore ? "None is among the wallet's latest 100 withdrawals." : 'It was requested outside of Weir.'}
            </Text>
          ) : (
            <SmallTable
              label="Requests and claims"
              rows={own}
              columns={columnsIn(exit.token)}
              id={({ operationId }) => operationId}
            />
          )
        }}
      </Loaded>
    </Stack>
  )
}
