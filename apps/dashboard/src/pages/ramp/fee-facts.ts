import type { Schema } from '../../api/types.ts'
import { isZero } from '../../lib/money/money.ts'

type Payment = Pick<Schema<'RampTransaction'>, 'status' | 'total_fee' | 'charged_fee' | 'developer_fee'>

const ENDED: readonly Payment['status'][] = ['completed', 'failed', 'rejected', 'reversed']

interface FeeFacts {
  readonly title: string
  readonly fee: string
  /** The organization's share, where something was charged. */
  readonly share: string | undefined
}

/** What a payment costs: the agreed fee until it ends, then what was charged; nothing unless it completed. */
export function feeFacts({ status, total_fee, charged_fee, developer_fee }: Payment): FeeFacts {
  if (!ENDED.includes(status)) return { title: 'Fee if completed', fee: total_fee, share: undefined }
  if (status !== 'completed') return { title: 'Fee charged', fee: charged_fee ?? '0.00', share: undefined }
  const fee = charged_fee ?? total_fee
  return { title: 'Fee, taken from the amount', fee, share: isZero(fee) ? undefined : developer_fee }
}
