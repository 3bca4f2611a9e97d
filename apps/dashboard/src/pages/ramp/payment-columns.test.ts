import { expect, test } from 'vitest'
import type { Schema } from '../../api/types.ts'
import { csvOf } from '../../parts/tables/table-csv.tsx'
import { paymentColumns } from './payment-columns.tsx'

const out = {
  id: 3,
  type: 'offramp',
  ramp_recipient_name: null,
  source_asset: 'USDC',
  destination_asset: 'USD',
  network_id: 'base',
  usd_amount: '10000.00',
  charged_fee: '25.00',
  payout_amount: '9975.00',
  delivered_amount: '10000.00',
  status: 'completed',
  created_at: '2026-11-01T00:00:00.000Z',
} as Schema<'RampTransaction'>

const TITLES = ['Direction', 'Recipient', 'USD', 'Fee charged, USD', 'Delivered', 'Delivered in', 'Token']

/** What the CSV has of a payment in these columns. */
const cells = (row: Schema<'RampTransaction'>) => {
  const [head = '', line = ''] = csvOf(paymentColumns, [row]).split('\r\n')
  const names = head.replace('"Fee charged, USD"', 'Fee charged; USD').split(',')
  return TITLES.map((title) => line.split(',')[names.indexOf(title.replace(',', ';'))])
}

test('the CSV says which way a payment went, what was charged, and in what the other side got it', () => {
  expect(cells(out)).toEqual(['out', 'Your organization', '10000.00', '25.00', '9975.00', 'USD', 'USDC'])
  const into = { ...out, type: 'onramp', source_asset: 'USD', destination_asset: 'USDC', delivered_amount: '9975.00' }
  expect(cells({ ...into, ramp_recipient_name: 'Acme' } as Schema<'RampTransaction'>)).toEqual([
    ...['in', 'Acme', '10000.00', '25.00', '9975.00', 'USDC', 'USDC'],
  ])
})
