import type { Schema } from '../../api/types.ts'

export const stateOf = ({ status, failingSince }: Schema<'Webhook'>): string =>
  status === 'active' && failingSince !== null ? 'retrying' : status

export const eventsOf = ({ events }: Schema<'Webhook'>): string =>
  events.includes('*') ? 'every event' : events.join(', ')
