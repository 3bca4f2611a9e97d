import { Alert, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { PAYMENTS } from '../../api/paths.ts'
import type { Schema } from '../../api/types.ts'
import { useApi } from '../../api/use-api.ts'
import { isZero } from '../../lib/money/money.ts'
import { Loaded } from '../../parts/frame/page.tsx'
import { Facts, Hash, Money, Status, Time, words } from '../../parts/values.tsx'
import { ActivityLinks } from '../activity/activity-links.tsx'
import { feeFacts } from './fee-facts.ts'
import { railName } from './rails.ts'

export function PaymentPanel({ id }: { readonly id: number }) {
  const payment = useApi<Schema<'RampTransaction'>>(`${PAYMENTS}/${id}`)
  return (
    <Loaded query={payment} height={360}>
      {(each) => (
        <Stack gap="lg">
          <Facts
            items={[
              ['State', <Status key="s" value={each.status} />],
              ['Direction', each.type === 'onramp' ? 'Bank to chain' : 'Chain to bank'],
              ['Amount', <Money key="a" amount={each.usd_amount} token="USD" strong />],
              ...feeItems(feeFacts(each)),
              ...(each.type === 'offramp'
                ? [['Paid out', <Money key="p" amount={each.payout_amount ?? null} token="USD" strong />] as const]
                : []),
              [
                each.type === 'onramp' ? 'Delivered' : 'Received',
                <Money
                  key="d"
                  amount={each.delivered_amount}
                  token={each.type === 'onramp' ? each.destination_asset : each.source_asset}
                />,
              ],
              ['Rail', railName(each.payment_rail)],
              ['Reference', <Hash key="r" value={each.payment_reference} length={10} />],
              ['Transaction', <Hash key="t" value={each.tx_hash} chain={each.network_id} />],
              ['Returned by', <Hash key="b" value={each.return_tx_hash} chain={each.network_id} />],
            ]}
          />
          {!isZero(feeFacts(each).share ?? '0') && (
            <Text size="sm" c="dimmed">
              The banking partner takes the fee. Your organization's share of it follows from your terms with the
              partner, who settles it with you: it arrives in no wallet here, and is in no balance.
            </Text>
          )}
          {each.failure_reason && <Alert color="red">{each.failure_reason}</Alert>}
          <ol className="timeline">
            {each.status_history.map(({ status, timestamp }) => (
              <li
                key={`${status}${timestamp}`}
                {...(/failed|rejected|reversed/.test(status) ? { 'data-failed': true } : { 'data-done': true })}
              >
                <Text size="sm" fw={500}>
                  {words(status)}
                </Text>
                <Text size="sm" c="dimmed">
                  <Time iso={timestamp} />
                </Text>
              </li>
            ))}
          </ol>
          <ActivityLinks about="payment" id={id} />
        </Stack>
      )}
    </Loaded>
  )
}

function feeItems({ title, fee, share }: ReturnType<typeof feeFacts>): (readonly [string, ReactNode])[] {
  const items: (readonly [string, ReactNode])[] = [[title, <Money key="f" amount={fee} token="USD" />]]
  if (share !== undefined) items.push(['Your share of the fee', <Money key="y" amount={share} token="USD" />])
  return items
}
