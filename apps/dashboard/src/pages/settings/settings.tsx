import { Tabs } from '@mantine/core'
import { useMay } from '../../api/session.tsx'
import { useUrl } from '../../lib/page/use-url.ts'
import { Page } from '../../parts/frame/page.tsx'
import { ChangePolicy } from './change-policy.tsx'
import { Destinations } from './destinations.tsx'
import { SecurityEvents } from './security-events.tsx'
import { SingleSignOn } from './single-sign-on.tsx'

const TABS = ['destinations', 'sso', 'events'] as const

/** What an organization decides about itself: who must agree, where money may go, how people come in, who was refused. */
export function Settings() {
  const [url, setUrl] = useUrl()
  const may = useMay()
  const tab = TABS.find((each) => each === url.tab) ?? 'changes'
  return (
    <Page
      title="Settings"
      description="Who must agree to changes, where tokens may go, single sign-on, refused requests"
    >
      <Tabs
        value={tab}
        onChange={(next) =>
          setUrl({ tab: next === 'changes' ? undefined : (next ?? undefined), cursor: undefined, type: undefined })
        }
        keepMounted={false}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="changes">Change policy</Tabs.Tab>
          <Tabs.Tab value="destinations">Destinations</Tabs.Tab>
          {may.administer && <Tabs.Tab value="sso">Single sign-on</Tabs.Tab>}
          {may.administer && <Tabs.Tab value="events">Security events</Tabs.Tab>}
        </Tabs.List>
        <Tabs.Panel value="changes">
          <ChangePolicy />
        </Tabs.Panel>
        <Tabs.Panel value="destinations">
          <Destinations />
        </Tabs.Panel>
        <Tabs.Panel value="sso">
          <SingleSignOn />
        </Tabs.Panel>
        <Tabs.Panel value="events">
          <SecurityEvents />
        </Tabs.Panel>
      </Tabs>
    </Page>
  )
}
