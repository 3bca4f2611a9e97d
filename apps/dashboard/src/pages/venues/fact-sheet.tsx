import { Anchor, List, Stack, Text, Title } from '@mantine/core'
import type { Schema } from '../../api/types.ts'
import { columnsFor } from '../../parts/tables/columns.tsx'
import { SmallTable } from '../../parts/tables/small-table.tsx'
import { Facts, Hash, words } from '../../parts/values.tsx'

type Risk = Schema<'StrategyRisk'>
type Control = NonNullable<Risk['facts']>['controls'][number]

const { shown, text } = columnsFor<Control>()
const columns = [
  shown('May', ({ power }) => words(power), 'power'),
  shown(
    'Who',
    ({ holder, note }) => (
      <>
        {holder}
        {note && (
          <Text size="xs" c="dimmed">
            {note}
          </Text>
        )}
      </>
    ),
    'holder',
  ),
  text('Delay', ({ delaySeconds }) => delay(delaySeconds), { right: true }),
]

/** What is known about a strategy and does not come from the chain, with its sources. */
export function FactSheet({ strategy: { facts, contracts, blockchain } }: { readonly strategy: Risk }) {
  return (
    <Stack gap="sm" component="section" aria-label="Risk">
      <Title order={3} size="h5">
        Risk
      </Title>
      {facts === null ? (
        <Text size="sm" c="dimmed">
          Nobody has checked this strategy.
        </Text>
      ) : (
        <>
          <Facts
            items={[
              ['Protocol', facts.protocol],
              ['The yield comes from', facts.yieldSource],
              ['Oracle', facts.oracle ?? 'none'],
              ...(facts.exit ? [['Withdrawals', facts.exit] as const] : []),
            ]}
          />
          {facts.controls.length > 0 && (
            <SmallTable
              label="Who can change it"
              rows={facts.controls}
              columns={columns}
              id={({ power, holder }) => `${power} ${holder}`}
            />
          )}
          <Text size="xs" c="dimmed" component="div">
            Checked on {facts.checkedOn} in
            <List size="xs">
              {facts.sources.map((source) => (
                <List.Item key={source} className="breaks">
                  {source.startsWith('https://') ? (
                    <Anchor href={source} target="_blank" rel="noreferrer" size="xs">
                      {source}
                    </Anchor>
                  ) : (
                    source
                  )}
                </List.Item>
              ))}
            </List>
          </Text>
        </>
      )}
      <Facts
        items={Object.entries(contracts).map(([role, address]) => [
          words(role),
          <Hash key={role} value={address} chain={blockchain} />,
        ])}
      />
    </Stack>
  )
}

const DAY_SECONDS = 86_400
const HOUR_SECONDS = 3_600

/** From the announcement of a change to its effect. */
function delay(seconds: number | null): string {
  if (seconds === null) return 'not stated'
  if (seconds === 0) return 'at once'
  const [length, unit] =
    seconds % DAY_SECONDS === 0
      ? [DAY_SECONDS, 'day']
      : seconds % HOUR_SECONDS === 0
        ? [HOUR_SECONDS, 'hour']
        : [1, 'second']
  const count = seconds / length
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
