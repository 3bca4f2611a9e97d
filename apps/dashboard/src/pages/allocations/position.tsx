import { Anchor, Button, Checkbox, Group, Stack, Text, TextInput, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { ALLOCATIONS } from '../../api/paths.ts'
import { useMay } from '../../api/session.tsx'
import type { Schema } from '../../api/types.ts'
import { useAction, useApi } from '../../api/use-api.ts'
import { grouped, plain } from '../../lib/money/money.ts'
import { plannedText } from '../../lib/text/planned-text.ts'
import { Curl } from '../../parts/curl.tsx'
import { FormDialog } from '../../parts/forms/form-dialog.tsx'
import { Loaded } from '../../parts/frame/page.tsx'
import { columnsFor } from '../../parts/tables/columns.tsx'
import { SmallTable } from '../../parts/tables/small-table.tsx'
import { Facts, Hash, Money, Status, words } from '../../parts/values.tsx'
import { PositionExit } from '../exits/position-exit.tsx'
import { Awaited } from './awaited.tsx'

const { money, shown, state, time } = columnsFor<Schema<'CoreAllocationDetail'>['operations'][number]>()
const columns = [
  shown('Operation', ({ id, type }) => `${words(type)} #${id}`, 'id'),
  state('State', 'status'),
  money('Amount', 'amount', 'token'),
  time('When', 'createdAt', { wide: true }),
]

type Withdrawn = Schema<'PlannedWithdrawal'> | Schema<'OnlyAwaitedWithdrawal'>

const withdrawnText = (made: Withdrawn) =>
  'operationId' in made
    ? plannedText(
        { ...made, warnings: [...(made.warnings ?? []), ...(made.awaited ? ['The rest is awaited.'] : [])] },
        `withdraws ${grouped(made.amount.amount)} ${made.amount.currency}`,
      )
    : 'Nothing can be paid now. The withdrawal is awaited.'

/** As many as the service lists with a position. */
const OPERATIONS_MAX = 100

interface Props {
  readonly id: number
  /** What an earlier operation tried to withdraw, to begin with. */
  readonly tried?: string
}

export function Position({ id, tried = '' }: Props) {
  const may = useMay()
  const detail = useApi<Schema<'CoreAllocationDetail'>>(`${ALLOCATIONS}/${id}`)
  const [amount, setAmount] = useState(tried)
  const [partial, setPartial] = useState(false)
  const [isAll, setIsAll] = useState(false)
  const withdraw = useAction<Withdrawn>(withdrawnText)
  const asked = (body: { amount: string } | { full: true }) => (partial ? { ...body, partial } : body)
  const path = `${ALLOCATIONS}/${id}/withdraw`
  return (
    <Loaded query={detail} height={360}>
      {(position) => (
        <Stack gap="lg">
          <Facts
            items={[
              [
                'Strategy',
                position.strategy === undefined ? position.venue : `${position.strategy}, ${position.venue}`,
              ],
              ['State', <Status key="s" value={position.status} />],
              ['Wallet', <Hash key="w" value={position.wallet.address} label={position.wallet.label} />],
              ['Deposited', <Money key="d" amount={position.allocatedBase} token={position.token} />],
              ['Value', <Money key="v" amount={position.currentValue} token={position.token} strong />],
              ['Yield', <Money key="y" amount={position.yieldEarned} token={position.token} />],
              [
                'Can be withdrawn now',
                position.withdrawable == null ? (
                  'not known'
                ) : (
                  <Money key="n" amount={position.withdrawable} token={position.token} />
                ),
              ],
              ['APY', position.apy],
              ['Last day', <Money key="1" amount={position.performance.dailyYield} token={position.token} />],
              ['Last 7 days', <Money key="7" amount={position.performance.weeklyYield} token={position.token} />],
              ['Last 30 days', <Money key="30" amount={position.performance.monthlyYield} token={position.token} />],
            ]}
          />
          <PositionExit walletId={position.wallet.id} strategyId={position.strategyId} />
          <Awaited allocationId={id} token={position.token} awaited={position.awaitedWithdrawal} />
          {may.administer && position.status === 'ACTIVE' && position.opWalletId !== null && (
            <Stack gap="xs" component="section" aria-label="Withdraw">
              <Title order={3} size="h5">
                Withdraw
              </Title>
              <Group align="flex-end" gap="xs">
                <TextInput
                  label="Amount"
                  value={amount}
                  onChange={(event) => setAmount(event.currentTarget.value)}
                  inputMode="decimal"
                  rightSection={
                    <Text size="xs" c="dimmed">
                      {position.token}
                    </Text>
                  }
                  rightSectionWidth={56}
                />
                <Button
                  disabled={amount === ''}
                  loading={withdraw.isPending}
                  onClick={() => withdraw.mutate({ method: 'POST', path, body: asked({ amount: plain(amount) }) })}
                >
                  Withdraw
                </Button>
                <Button variant="default" disabled={withdraw.isPending} onClick={() => setIsAll(true)}>
                  Withdraw all
                </Button>
                <Curl
                  method="POST"
                  path={path}
                  body={asked(amount === '' ? { full: true } : { amount: plain(amount) })}
                />
              </Group>
              <Checkbox
                label="Withdraw what is available now, and the rest when it becomes available"
                checked={partial}
                onChange={(event) => setPartial(event.currentTarget.checked)}
              />
            </Stack>
          )}
          {isAll && (
            <FormDialog<Withdrawn>
              title="Withdraw the whole position?"
              action={{ method: 'POST', path, body: asked({ full: true }) }}
              submit="Withdraw all"
              done={withdrawnText}
              onClose={() => setIsAll(false)}
            >
              <Text size="sm">
                Everything that the position holds,{' '}
                <Money amount={position.currentValue} token={position.token} strong /> now, is withdrawn to the wallet
                {partial && ', as it becomes available'}. It earns nothing from then on.
              </Text>
            </FormDialog>
          )}
          <Operations position={position} />
        </Stack>
      )}
    </Loaded>
  )
}

/** The newest operations of the position; of more, where the others are. */
function Operations({
  position: { operations, wallet, token },
}: {
  readonly position: Schema<'CoreAllocationDetail'>
}) {
  const isCut = operations.length >= OPERATIONS_MAX
  return (
    <div>
      <SmallTable
        label={isCut ? `Its newest ${OPERATIONS_MAX} operations` : 'Its operations'}
        rows={operations}
        columns={columns}
        id={({ id }) => id}
      />
      {isCut && (
        <Text size="sm" c="dimmed" mt="xs">
          It may have older ones:{' '}
          <Anchor
            component={Link}
            to={'/app/operations' as never}
            search={{ tab: 'history', wallet: wallet.id, token } as never}
            size="sm"
            underline="always"
          >
            all finished operations of its wallet
          </Anchor>
          .
        </Text>
      )}
    </div>
  )
}
