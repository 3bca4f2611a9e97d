import { Alert, Button, Card, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useMay, useSession } from '../../api/session.tsx'
import type { Schema } from '../../api/types.ts'
import { useApi } from '../../api/use-api.ts'
import { paged } from '../../parts/data-table.tsx'
import { NewOfframpAccount } from './new-offramp-account.tsx'
import { NewOnrampAccount } from './new-onramp-account.tsx'
import { OFFRAMP_ACCOUNTS, OfframpAccounts } from './offramp-accounts.tsx'
import { ONRAMP_ACCOUNTS, OnrampAccounts } from './onramp-accounts.tsx'
import { Simulator } from './simulator.tsx'

interface Props {
  readonly isVerified: boolean
  /** After a payment was simulated. */
  readonly onSent: () => void
}

export function Accounts({ isVerified, onSent }: Props) {
  const may = useMay()
  const { environment } = useSession()
  const onramp = useApi<Schema<'OnrampAccount'>[]>(paged(ONRAMP_ACCOUNTS, 0, 100))
  const offramp = useApi<Schema<'OfframpAccount'>[]>(paged(OFFRAMP_ACCOUNTS, 0, 100))
  const [form, setForm] = useState<'on' | 'off' | 'simulate'>()
  const canOpen = may.administer && isVerified
  return (
    <Stack>
      {!isVerified && <Alert>Accounts open once your organization is verified.</Alert>}
      {environment === 'sandbox' &&
        may.administer &&
        (onramp.data?.data.length ?? 0) + (offramp.data?.data.length ?? 0) > 0 && (
          <Card withBorder>
            <Group justify="space-between">
              <Text size="sm">Nobody wires test money: the simulator plays the bank.</Text>
              <Button size="xs" onClick={() => setForm('simulate')}>
                Simulate a payment
              </Button>
            </Group>
          </Card>
        )}
      <OnrampAccounts accounts={onramp} canOpen={canOpen} onOpen={() => setForm('on')} />
      <OfframpAccounts accounts={offramp} canOpen={canOpen} onOpen={() => setForm('off')} />
      {form === 'on' && <NewOnrampAccount onClose={() => setForm(undefined)} />}
      {form === 'off' && <NewOfframpAccount onClose={() => setForm(undefined)} />}
      {form === 'simulate' && (
        <Simulator
          onramp={onramp.data?.data ?? []}
          offramp={offramp.data?.data ?? []}
          onSent={onSent}
          onClose={() => setForm(undefined)}
        />
      )}
    </Stack>
  )
}
