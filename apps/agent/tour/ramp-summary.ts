import { brief, exact, sum, unitsOf } from '../../server/tour/amounts.ts'
import { apyOfGrowth } from '../../server/tour/apy-of-growth.ts'
import { about, columns, heading, type Say } from '../../server/tour/layout.ts'
import type { Position } from './operational-wallets.ts'

export interface RampRecord {
  readonly status: string
  readonly usd_amount: string
  readonly total_fee: string
  readonly delivered_amount: string | null
}

export interface RampOutcome {
  readonly days: number
  readonly onramp: RampRecord
  /** The positions after that time. */
  readonly grown: readonly Position[]
  /** What came back into the wallet and was sent off, in base units. */
  readonly withdrawn: bigint
  readonly offramp: RampRecord
}

/** Prints where every cent went, from the payment in to the payment out. */
export function summarizeRamp(
  { days, onramp, grown, withdrawn, offramp }: RampOutcome,
  events: number,
  say: Say,
): void {
  const paidIn = unitsOf(onramp.usd_amount)
  const feeIn = unitsOf(onramp.total_fee)
  const delivered = unitsOf(onramp.delivered_amount!)
  const sold = unitsOf(offramp.usd_amount)
  const feeOut = unitsOf(offramp.total_fee)
  const [earned, rest, paidOut] = [withdrawn - delivered, withdrawn - sold, sold - feeOut]
  const [deposited, grownTo] = [sum(grown.map(({ principal }) => principal)), sum(grown.map(({ value }) => value))]

  say(heading('Summary', `${brief(paidIn)} USD in by bank, ${brief(paidOut)} USD out by bank`))
  const rows = [
    ['paid in', 'by bank', `${exact(paidIn)} USD `],
    ['fee', 'of the on-ramp', `${exact(-feeIn)} USD `],
    ['delivered', 'to the wallet', `${exact(delivered)} USDC`],
    [
      'yield',
      `of ${brief(deposited)} in ${days} days, an APY of ${apyOfGrowth(deposited, grownTo, days)}`,
      `${exact(earned)} USDC`,
    ],
    ['sent back', 'to the off-ramp', `${exact(withdrawn)} USDC`],
    ['rest', 'less than a cent', `${exact(-rest)} USDC`],
    ['fee', 'of the off-ramp', `${exact(-feeOut)} USD `],
    ['paid out', 'to the bank account, net', `${exact(paidOut)} USD `],
  ]
  for (const line of columns(rows, 2)) say(line)

  const terms = [paidIn, -feeIn, earned, -rest, -feeOut]
  if (sum(terms) !== paidOut) throw new Error(`the amounts do not add up: ${terms.join(' + ')} is not ${paidOut}`)
  say(heading('Check', 'by hand; 1 USD, as 1 USDC, is 1000000 units'))
  say(about('paid out', `${paidIn} - ${feeIn} + ${earned} - ${rest} - ${feeOut} = ${paidOut}`))
  say(about('APY', `(${grownTo} / ${deposited}) ^ (365 / ${days}) - 1 = ${apyOfGrowth(deposited, grownTo, days)}`))
  say(about('webhooks', `${events} events, each one delivered and its signature verified`))
}
