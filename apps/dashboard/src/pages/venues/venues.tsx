import { Badge, Drawer, Group, Tabs } from '@mantine/core'
import { numberOf, useUrl } from '../../lib/use-url.ts'
import { Page } from '../../parts/page.tsx'
import { Breakers } from '../breakers/breakers.tsx'
import { stops, useBreakers } from '../breakers/use-breakers.ts'
import { Strategies } from './strategies.tsx'
import { StrategyPanel } from './strategy-panel.tsx'

/** Where money may earn: rates and sizes as the chain shows them, the organization's own caps, and what stops deposits. */
export function Venues() {
  const [url, setUrl] = useUrl()
  const breakers = useBreakers()
  const open = numberOf(url.open)
  const stopped = (breakers.data?.data.breakers ?? []).filter(stops)
  return (
    <Page title="Venues" description="Strategies that Weir may deposit into, and what stops it">
      <Tabs
        value={url.tab === 'breakers' ? 'breakers' : 'strategies'}
        onChange={(next) => setUrl({ tab: next === 'breakers' ? 'breakers' : undefined })}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="strategies">Strategies</Tabs.Tab>
          <Tabs.Tab value="breakers">
            <Group gap={6} wrap="nowrap">
              Circuit breakers
              {stopped.length > 0 && (
                <Badge size="sm" color="red" variant="light" aria-label={`${stopped.length} stop deposits`}>
                  {stopped.length}
                </Badge>
              )}
            </Group>
          </Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="strategies">
          <Strategies stopped={stopped} />
        </Tabs.Panel>
        <Tabs.Panel value="breakers">
          <Breakers />
        </Tabs.Panel>
      </Tabs>
      <Drawer opened={open !== undefined} onClose={() => setUrl({ open: undefined })} title="Strategy" size="xl">
        {open !== undefined && <StrategyPanel id={open} />}
      </Drawer>
    </Page>
  )
}
