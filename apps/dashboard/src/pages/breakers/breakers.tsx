import { Anchor, Button, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { BREAKERS } from '../../api/paths.ts'
import { useMay } from '../../api/session.tsx'
import { Empty, Loaded, Section } from '../../parts/frame/page.tsx'
import { columnsFor } from '../../parts/tables/columns.tsx'
import { DataTable } from '../../parts/tables/data-table.tsx'
import { AcceptBreaker } from './accept-breaker.tsx'
import { BreakerFacts } from './breaker-facts.tsx'
import { BreakerSettings } from './breaker-settings.tsx'
import { type Breaker, because, breakerName } from './breaker-text.ts'
import { stops, useBreakers } from './use-breakers.ts'

const { buttons, shown, state, time } = columnsFor<Breaker>()
const columns = [
  shown(
    'Strategy',
    (breaker) => (
      <>
        <Anchor
          component={Link}
          to={'/app/venues' as never}
          search={{ tab: 'breakers', open: breaker.strategyId } as never}
          size="sm"
        >
          {breaker.strategyName}
        </Anchor>
        <Text size="xs" c="dimmed">
          {breakerName(breaker.kind)}
        </Text>
      </>
    ),
    'strategyName',
  ),
  state('State', 'state'),
  shown('Because', because, because, { wide: true }),
  time('Opened', 'openedAt', { wide: true }),
  time('Good since', 'fineSince', { wide: true }),
]

/** Which facts stop deposits now, and which would. */
export function Breakers() {
  const may = useMay()
  const breakers = useBreakers()
  const [accepting, setAccepting] = useState<Breaker>()
  const decide = buttons('Decide', (breaker) =>
    stops(breaker) ? (
      <Button
        size="compact-xs"
        variant="default"
        aria-label={`Accept ${breakerName(breaker.kind).toLowerCase()} of ${breaker.strategyName}`}
        onClick={() => setAccepting(breaker)}
      >
        Accept
      </Button>
    ) : null,
  )
  return (
    <Stack gap="lg">
      <Section title="Not closed" pad={false}>
        <DataTable
          label="Circuit breakers"
          path={BREAKERS}
          query={breakers}
          rows={({ breakers: items }) => ({ items, total: items.length })}
          id={({ strategyId, kind }) => `${strategyId} ${kind}`}
          columns={[...columns, ...(may.administer ? [decide] : [])]}
          empty={
            <Empty title="Every breaker is closed">
              A breaker opens when a fact about a strategy crosses its threshold. Weir then deposits nothing there on
              its own.
            </Empty>
          }
        />
      </Section>
      <Section title="Settings">
        <Loaded query={breakers} height={420}>
          {(settings) =>
            may.administer ? <BreakerSettings inForce={settings} /> : <BreakerFacts inForce={settings} />
          }
        </Loaded>
      </Section>
      {accepting && (
        <AcceptBreaker
          breaker={accepting}
          present={breakers.data?.data.breakers.find(
            ({ strategyId, kind }) => strategyId === accepting.strategyId && kind === accepting.kind,
          )}
          onReview={setAccepting}
          onClose={() => setAccepting(undefined)}
        />
      )}
    </Stack>
  )
}
