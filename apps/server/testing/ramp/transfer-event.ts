import type { RampDirection, RampStatus } from '../../src/database/index.ts'
import { quoteAtPar } from '../../src/ramp/pricing/fees.ts'
import type { TransferEvent, TransferSnapshot } from '../../src/ramp/provider/port.ts'

export interface TransferEventFields {
  readonly direction: RampDirection
  readonly accountReference: string
  readonly subject: string
  readonly sequence: number
  readonly status: RampStatus
  readonly usdCents?: bigint
  readonly feeBasisPoints?: number
  readonly more?: Partial<TransferSnapshot>
}

/** An event of a payment in USDC, priced at par; its id is made from its subject and sequence. */
export function transferEvent({
  direction,
  accountReference,
  subject,
  sequence,
  status,
  usdCents = 100_00n,
  feeBasisPoints = 25,
  more,
}: TransferEventFields): TransferEvent {
  const terms = { feeBasisPoints, developerShareBasisPoints: 3_333 }
  return {
    kind: 'transfer',
    id: `${subject}:${sequence}`,
    subject,
    sequence,
    status,
    transfer: {
      direction,
      accountReference,
      quote: quoteAtPar({ direction, usdCents, tokenDecimals: 6, terms }),
      asset: 'USDC',
      tokenDecimals: 6,
      dust: 0n,
      rail: 'ach',
      paymentReference: subject,
      txHash: null,
      returnTxHash: null,
      failureReason: null,
      ...more,
    },
  }
}
