import { Box, Stack, Text } from '@mantine/core'
import type { Schema } from '../../api/types.ts'
import { useApi } from '../../api/use-api.ts'
import { isZero } from '../../lib/money/money.ts'
import { Empty, Section } from '../../parts/frame/page.tsx'
import { columnsFor } from '../../parts/tables/columns.tsx'
import { DataTable } from '../../parts/tables/data-table.tsx'
import { chainName, Facts, Money } from '../../parts/values.tsx'
import { Held } from './held.tsx'
import { sumOf } from './unknown.ts'

type Liquidity = Schema<'Liquidity'>
type Token = Schema<'TokenLiquidity'>

const LIQUIDITY = '/api/core/liquidity'
const { money, shown } = columnsFor<Token>()
const columns = [
  shown(
    'Token',
    ({ token, blockchain }) => (
      <>
        {token}
        <Text size="xs" c="dimmed">
          {chainName(blockchain)}
        </Text>
      </>
    ),
    ({ token, blockchain }) => `${token} ${blockchain}`,
  ),
  money('In wallets', 'inWallets', undefined, { csvOnly: true }),
  money('A minute', 'withinMinute'),
  money('A day', 'withinDay', undefined, { wide: true }),
  money('30 days', 'withinMonth', undefined, { wide: true }),
  money('Held', ({ unknown }) => unknown.reserved, undefined, { wide: true }),
  money('Unknown', ({ unknown }) => sumOf(unknown), undefined, { wide: true }),
  money('Total', 'total', 'token', { strong: true }),
]

const REASONS = {
  illiquid: 'Lent out, or its strategy is paused',
  shared: 'Withdrawable by each wallet, but perhaps not by all of them at once',
  exiting: 'Requested back from strategies that do not say when',
  unread: 'In strategies that have not been read yet',
} as const satisfies Record<Exclude<keyof Liquidity['unknown'], 'reserved'>, string>

/** How much of the money could be back within a minute, a day and a month, and why it is not known of the rest. */
export function LiquidityPanel() {
  const liquidity = useApi<Liquidity>(LIQUIDITY)
  const all = liquidity.data?.data
  const unknown = (Object.keys(REASONS) as (keyof typeof REASONS)[]).flatMap((reason) => {
    const amount = all?.unknown[reason]
    return amount === undefined || isZero(amount) ? [] : [[REASONS[reason], amount] as const]
  })
  return (
    <Section title="Liquidity" pad={false}>
      {all && (
        <Box px="md" pb="sm">
          <Facts
            items={[
              ['Within a minute, USD', <Money key="m" amount={all.withinMinute} strong />],
              ['Within a day, USD', <Money key="d" amount={all.withinDay} strong />],
              ['Within 30 days, USD', <Money key="p" amount={all.withinMonth} strong />],
              ['Total, USD', <Money key="t" amount={all.total} />],
            ]}
          />
          {all.withinMinute !== all.inWallets && (
            <Text size="xs" c="dimmed" mt={4}>
              What each strategy would pay, counted on its own: those that draw on the same pool may pay less together.
            </Text>
          )}
          {!isZero(all.unknown.reserved) && <Held amount={all.unknown.reserved} />}
          {unknown.length > 0 && (
            <Stack gap={2} mt="sm">
              <Text size="sm" fw={600}>
                It is unknown when this can be withdrawn
              </Text>
              {unknown.map(([reason, amount]) => (
                <Text key={reason} size="sm">
                  <Money amount={amount} token="USD" /> {reason.charAt(0).toLowerCase() + reason.slice(1)}
                </Text>
              ))}
            </Stack>
          )}
        </Box>
      )}
      <DataTable
        label="Liquidity"
        path={LIQUIDITY}
        query={liquidity}
        rows={({ tokens }) => ({ items: tokens, total: tokens.length })}
        id={({ blockchain, token }) => `${blockchain} ${token}`}
        columns={columns}
        empty={<Empty title="No money yet">What wallets hold and what is deployed appears here.</Empty>}
      />
    </Section>
  )
}
