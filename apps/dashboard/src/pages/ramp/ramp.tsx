import { SimpleGrid, Stack, Tabs } from '@mantine/core'
import type { Schema } from '../../api/types.ts'
import { useApi } from '../../api/use-api.ts'
import { useUrl } from '../../lib/use-url.ts'
import { Page, Stat } from '../../parts/page.tsx'
import { Money, words } from '../../parts/values.tsx'
import { Accounts } from './accounts.tsx'
import { Payments } from './payments.tsx'
import { Recipients } from './recipients.tsx'
import { Verification } from './verification.tsx'
import { SUMMARY, Volume } from './volume.tsx'

export function Ramp() {
  const [url, setUrl] = useUrl()
  const tab = ['accounts', 'recipients', 'payments'].includes(String(url.tab)) ? String(url.tab) : 'start'
  const summary = useApi<Schema<'OrganizationRampSummary'>>(SUMMARY)
  const kyb = useApi<Schema<'KybStatus'>>('/v1/ramp/org/kyb/status')
  const facts = summary.data?.data
  return (
    <Page title="Ramp" description="Money between bank accounts and chains">
      <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm">
        <Stat label="Verification" value={kyb.data ? words(kyb.data.data.kybStatus ?? 'not started') : '–'} />
        <Stat label="Volume, USD" value={<Money amount={facts?.totalVolumeUsd ?? null} />} />
        <Stat label="Fees, USD" value={<Money amount={facts?.totalFeesUsd ?? null} />} />
        <Stat label="Payments" value={facts?.transactionCount ?? '–'} />
      </SimpleGrid>
      <Tabs
        value={tab}
        onChange={(next) =>
          setUrl({
            tab: next === 'start' ? undefined : (next ?? undefined),
            offset: undefined,
            open: undefined,
            status: undefined,
            type: undefined,
            form: undefined,
          })
        }
        keepMounted={false}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="start">Start</Tabs.Tab>
          <Tabs.Tab value="accounts">Accounts</Tabs.Tab>
          <Tabs.Tab value="recipients">Recipients</Tabs.Tab>
          <Tabs.Tab value="payments">Payments</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="start">
          <Verification kyb={kyb.data?.data} onOpen={() => setUrl({ tab: 'accounts', form: 'in' })} />
        </Tabs.Panel>
        <Tabs.Panel value="accounts">
          <Accounts
            owner="/v1/ramp/org"
            isVerified={kyb.data?.data.kybStatus === 'approved'}
            unverified="Accounts open once your organization is verified."
            onSent={() => setUrl({ tab: 'payments' })}
          />
        </Tabs.Panel>
        <Tabs.Panel value="recipients">
          <Recipients />
        </Tabs.Panel>
        <Tabs.Panel value="payments">
          <Stack>
            <Payments />
            <Volume />
          </Stack>
        </Tabs.Panel>
      </Tabs>
    </Page>
  )
}
