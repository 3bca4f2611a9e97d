import { Badge, Group, Tabs } from '@mantine/core'
import { numberOf, useUrl } from '../../lib/page/use-url.ts'
import { Drawer } from '../../parts/dialogs.tsx'
import { AsOfField, useAsOf } from '../../parts/forms/as-of-field.tsx'
import { Page } from '../../parts/frame/page.tsx'
import { Breakers } from '../breakers/breakers.tsx'
import { stops, useBreakers } from '../breakers/use-breakers.ts'
import { DepositLimits } from '../limits/deposit-limits.tsx'
import { Strategies } from './strategies.tsx'
import { StrategiesAt } from './strategies-at.tsx'
import { StrategyPanel } from './strategy-panel.tsx'

const TABS = ['strategies', 'breakers', 'limits'] as const

/** Where money may earn: rates and sizes as the chain shows them, the organization's own caps, and what stops deposits. */
export function Venues() {
  const [url, setUrl] = useUrl()
  const day = useAsOf()
  const breakers = useBreakers()
  const open = numberOf(url.open)
  const tab = TABS.find((each) => each === url.tab) ?? 'strategies'
  const stopped = (breakers.data?.data.breakers ?? []).filter(stops)
  return (
    <Page
      title="Venues"
      description="Strategies that Weir may deposit into, and what stops it"
      actions={tab === 'strategies' && <AsOfField />}
    >
      <Tabs
        value={tab}
        onChange={(next) => setUrl({ tab: next === 'strategies' ? undefined : (next ?? undefined), at: undefined })}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="strategies">Strategies</Tabs.Tab>
          <Tabs.Tab value="breakers">
            <Group gap={6} wrap="nowrap">
              Circuit breakers
              {stopped.length > 0 && (
                <Badge size="sm" color="red" variant="light" aria-label={`${stopped.length} stopping deposits`}>
                  {stopped.length}
                </Badge>
              )}
            </Group>
          </Tabs.Tab>
          <Tabs.Tab value="limits">Deposit limits</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="strategies">
          {day === undefined ? <Strategies stopped={stopped} /> : <StrategiesAt day={day} />}
        </Tabs.Panel>
        <Tabs.Panel value="breakers">
          <Breakers />
        </Tabs.Panel>
        <Tabs.Panel value="limits">
          <DepositLimits />
        </Tabs.Panel>
      </Tabs>
      <Drawer opened={open !== undefined} onClose={() => setUrl({ open: undefined })} title="Strategy" size="xl">
        {open !== undefined && <StrategyPanel key={open} id={open} />}
      </Drawer>
    </Page>
  )
}
