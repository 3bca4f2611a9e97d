import { Tabs } from '@mantine/core'
import { useUrl } from '../../lib/page/use-url.ts'
import { Page } from '../../parts/frame/page.tsx'
import { PageLink } from '../../parts/light.tsx'
import { Keys } from './keys.tsx'
import { Profiles } from './profiles.tsx'
import { Quotas } from './quotas.tsx'
import { ServiceAccounts } from './service-accounts.tsx'

export function Developers() {
  const [url, setUrl] = useUrl()
  const tab = ['accounts', 'profiles', 'quotas'].includes(String(url.tab)) ? String(url.tab) : 'keys'
  return (
    <Page
      hasFilters
      title="Developers"
      description="API keys and service accounts, and what they may do"
      actions={
        <PageLink to="/app/activity" search={{ tab: 'webhooks' }} size="sm">
          Webhooks
        </PageLink>
      }
    >
      <Tabs
        value={tab}
        onChange={(next) =>
          setUrl({
            tab: next === 'keys' ? undefined : (next ?? undefined),
            offset: undefined,
            q: undefined,
            scope: undefined,
          })
        }
        keepMounted={false}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="keys">API keys</Tabs.Tab>
          <Tabs.Tab value="accounts">Service accounts</Tabs.Tab>
          <Tabs.Tab value="profiles">Wallet profiles</Tabs.Tab>
          <Tabs.Tab value="quotas">Quotas</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="keys">
          <Keys />
        </Tabs.Panel>
        <Tabs.Panel value="accounts">
          <ServiceAccounts />
        </Tabs.Panel>
        <Tabs.Panel value="profiles">
          <Profiles />
        </Tabs.Panel>
        <Tabs.Panel value="quotas">
          <Quotas />
        </Tabs.Panel>
      </Tabs>
    </Page>
  )
}
