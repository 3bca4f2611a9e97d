import { Stack } from '@mantine/core'
import type { Schema } from '../../api/types.ts'
import { useApi } from '../../api/use-api.ts'
import { Loaded } from '../../parts/frame/page.tsx'
import { Facts, Money, Status, Time } from '../../parts/values.tsx'
import { Accounts } from './accounts.tsx'
import { RecipientStep } from './recipient-step.tsx'

/** One recipient: how far the verification is, and the accounts that it is paid through. */
export function RecipientPanel({ path, onSent }: { readonly path: string; readonly onSent: () => void }) {
  const recipient = useApi<Schema<'RecipientDetail'>>(path)
  return (
    <Loaded query={recipient} height={480}>
      {({ name, kyb_status, external_id, total_volume_usd, transaction_count, created_at, address, ...rest }) => (
        <Stack gap="lg">
          <Facts
            items={[
              ['Name', name],
              ['Verification', <Status key="v" value={kyb_status} />],
              ...(external_id === null ? [] : [['Your own ID', external_id] as const]),
              ...(kyb_status === 'approved'
                ? []
                : [['Next step', <RecipientStep key="n" recipient={{ name, ...rest }} />] as const]),
              [
                'Address',
                address ? `${address.street1}, ${address.city}, ${address.country}` : 'none: payouts need one',
              ],
              ['Payments', transaction_count],
              ['Volume', <Money key="m" amount={total_volume_usd} token="USD" />],
              ['Added', <Time key="t" iso={created_at} />],
            ]}
          />
          <Accounts
            owner={path}
            holder={name}
            isVerified={kyb_status === 'approved'}
            unverified={`Accounts open once ${name} is verified.`}
            onSent={onSent}
          />
        </Stack>
      )}
    </Loaded>
  )
}
