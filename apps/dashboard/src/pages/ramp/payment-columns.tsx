import type { Schema } from '../../api/types.ts'
import { columnsFor } from '../../parts/tables/columns.tsx'
import { deliveredOf } from './delivered.ts'

const { money, shown, state, text, time } = columnsFor<Schema<'RampTransaction'>>()

const recipientOf = ({ ramp_recipient_name }: Schema<'RampTransaction'>) => ramp_recipient_name ?? 'Your organization'

export const paymentColumns = [
  shown('Payment', ({ id, type }) => `${type === 'onramp' ? 'In' : 'Out'} #${id}`, 'id'),
  text('Direction', ({ type }) => (type === 'onramp' ? 'in' : 'out'), { csvOnly: true }),
  state('State', 'status'),
  shown('Recipient', recipientOf, recipientOf, { wide: true }),
  money('USD', 'usd_amount'),
  text('Fee charged, USD', 'charged_fee', { csvOnly: true }),
  money('Delivered', deliveredOf, 'destination_asset', { wide: true }),
  text('Delivered in', 'destination_asset', { csvOnly: true }),
  text('Token', ({ type, source_asset, destination_asset }) => (type === 'onramp' ? destination_asset : source_asset), {
    csvOnly: true,
  }),
  text('Chain', 'network_id', { csvOnly: true }),
  time('Created', 'created_at', { wide: true }),
]
