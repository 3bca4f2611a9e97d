import { Tabs } from '@mantine/core'
import { useUrl } from '../../lib/page/use-url.ts'
import { Page } from '../../parts/frame/page.tsx'
import { Events } from './events.tsx'
import { KeyErrors } from './key-errors.tsx'
import { KeyRequests } from './key-requests.tsx'
import { Requests } from './requests.tsx'
import { Webhooks } from './webhooks.tsx'

const TABS = ['events', 'webhooks', 'errors', 'keys', 'requests'] as const

export function Activity() {
  const [url, setUrl] = useUrl()
  const tab = TABS.find((each) => each === url.tab) ?? 'events'
  return (
    <Page
      hasFilters
      title="Activity"
      description="Events, webhook deliveries, errors and requests of API keys, requests of this tab"
    >
      <Tabs
        value={tab}
        onChange={(next) =>
          setUrl({ tab: next === 'events' ? undefined : (next ?? undefined), open: undefined, offset: undefined })
        }
        keepMounted={false}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="events">Events</Tabs.Tab>
          <Tabs.Tab value="webhooks">Webhooks</Tabs.Tab>
          <Tabs.Tab value="errors">API key errors</Tabs.Tab>
          <Tabs.Tab value="keys">Latest requests</Tabs.Tab>
          <Tabs.Tab value="requests">Requests of this tab</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="events">
          <Events />
        </Tabs.Panel>
        <Tabs.Panel value="webhooks">
          <Webhooks />
        </Tabs.Panel>
        <Tabs.Panel value="errors">
          <KeyErrors />
        </Tabs.Panel>
        <Tabs.Panel value="keys">
          <KeyRequests />
        </Tabs.Panel>
        <Tabs.Panel value="requests">
          <Requests />
        </Tabs.Panel>
      </Tabs>
    </Page>
  )
}
