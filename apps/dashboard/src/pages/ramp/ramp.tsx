import { SimpleGrid, Skeleton, Stack, Tabs } from '@mantine/core'
import { useState } from 'react'
import type { Schema } from '../../api/types.ts'
import { useApi } from '../../api/use-api.ts'
import { useUrl } from '../../lib/page/use-url.ts'
import { Loaded, Page, Stat } from '../../parts/frame/page.tsx'
import { Money, words } from '../../parts/values.tsx'
import { Accounts } from './accounts.tsx'
import { Payments } from './payments.tsx'
import { Recipients } from './recipients.tsx'
import { Verification } from './verification.tsx'
import { SUMMARY, Volume } from './volume.tsx'

const TABS = ['verification', 'accounts', 'recipients', 'payments'] as const
const SKELETON_HEIGHT = 360

export function Ramp() {
  const [url, setUrl] = useUrl()
  const summary = useApi<Schema<'OrganizationRampSummary'>>(SUMMARY)
  const kyb = useApi<Schema<'KybStatus'>>('/v1/ramp/org/kyb/status')
  const facts = summary.data?.data
  // Opens the tab with the next step. Its user stays there when a verification ends meanwhile.
  const [landing, setLanding] = useState<(typeof TABS)[number]>()
  if (landing === undefined && (kyb.data || kyb.error))
    setLanding(kyb.data?.data.kybStatus === 'approved' ? 'accounts' : 'verification')
  const tab = TABS.find((each) => each === url.tab) ?? landing ?? null
  return (
    <Page hasFilters title="Ramp" description="Money between bank accounts and chains">
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
            tab: next ?? undefined,
            offset: undefined,
            open: undefined,
            status: undefined,
            type: undefined,
            q: undefined,
            kyb: undefined,
            recipient: undefined,
            from: undefined,
            to: undefined,
            form: undefined,
          })
        }
        keepMounted={false}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="verification">Verification</Tabs.Tab>
          <Tabs.Tab value="accounts">Accounts</Tabs.Tab>
          <Tabs.Tab value="recipients">Recipients</Tabs.Tab>
          <Tabs.Tab value="payments">Payments</Tabs.Tab>
        </Tabs.List>
        {tab === null && <Skeleton height={SKELETON_HEIGHT} role="status" aria-label="Loading" />}
        <Tabs.Panel value="verification">
          <Loaded query={kyb} height={SKELETON_HEIGHT}>
            {(status) => <Verification kyb={status} onOpen={() => setUrl({ tab: 'accounts', form: 'in' })} />}
          </Loaded>
        </Tabs.Panel>
        <Tabs.Panel value="accounts">
          <Loaded query={kyb} height={SKELETON_HEIGHT}>
            {({ kybStatus }) => (
              <Accounts
                owner="/v1/ramp/org"
                isVerified={kybStatus === 'approved'}
                unverified="Accounts open once your organization is verified."
                onSent={() => setUrl({ tab: 'payments' })}
              />
            )}
          </Loaded>
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
