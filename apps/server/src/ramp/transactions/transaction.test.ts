import { expect, test } from 'vitest'
import type { RampStatus } from '../../database/index.ts'
import { type RampTransaction, rampRecordOf } from './transaction.ts'

const onramp = (...statuses: RampStatus[]) =>
  ({
    organizationId: 1,
    transactionId: 2,
    direction: 'onramp',
    customerId: 3,
    recipientId: null,
    customerName: 'Basalt',
    accountId: 4,
    blockchain: 'base',
    sourceAsset: 'USD',
    destinationAsset: 'USDC',
    tokenDecimals: 6,
    usdCents: 10_00n,
    feeCents: 3n,
    developerFeeCents: 1n,
    tokenAmount: 9_970_000n,
    dust: 0n,
    exchangeRate: '1.00',
    paymentRail: 'ach',
    paymentReference: 'WEIR-1',
    txHash: '0x1',
    returnTxHash: null,
    status: statuses.at(-1)!,
    statusHistory: statuses.map((status) => ({ status, timestamp: '2026-01-01T00:00:00.000Z' })),
    failureReason: null,
    createdBy: null,
    createdAt: new Date(0),
    completedAt: new Date(0),
  }) as RampTransaction

test.each([
  ['null before the tokens are sent', ['pending', 'processing', 'in_progress'], null],
  ['the amount once they are sent', ['pending', 'processing', 'in_progress', 'broadcasted'], '9.97'],
  ['null if the chain rejected them', ['pending', 'processing', 'in_progress', 'broadcasted', 'failed'], null],
  ['the amount, also after a reversal', ['in_progress', 'broadcasted', 'completed', 'reversed'], '9.97'],
] as const)('delivered_amount is %s', (_when, statuses, delivered) => {
  const { delivered_amount, delivered_amount_base_units } = rampRecordOf(onramp(...statuses))
  expect([delivered_amount, delivered_amount_base_units]).toEqual([delivered, delivered && '9970000'])
})
