import { API_KEYS, SERVICE_ACCOUNTS, WEBHOOKS } from '../../api/paths.ts'
import type { Schema } from '../../api/types.ts'
import { useApi } from '../../api/use-api.ts'

/** What keeps working without a member, although they made it or know its secret. */
export interface Held {
  readonly keys: readonly Schema<'ApiKey'>[]
  /** Service accounts whose current secret was given to them. */
  readonly accounts: readonly Schema<'ServiceAccount'>[]
  readonly webhooks: readonly Schema<'Webhook'>[]
}

export const isNothing = ({ keys, accounts, webhooks }: Held): boolean =>
  keys.length + accounts.length + webhooks.length === 0

/** Read now, for a dialog that says it before and after the member is gone; undefined while it is read. */
export function useHeld(memberId: number): Held | undefined {
  const keys = useApi<Schema<'ApiKey'>[]>(API_KEYS).data?.data
  const accounts = useApi<Schema<'ServiceAccount'>[]>(SERVICE_ACCOUNTS).data?.data
  const webhooks = useApi<Schema<'Webhook'>[]>(WEBHOOKS).data?.data
  if (keys === undefined || accounts === undefined || webhooks === undefined) return undefined
  return {
    keys: keys.filter(({ createdBy }) => createdBy === memberId),
    accounts: accounts.filter(({ secrets }) => secrets.some(({ createdBy }) => createdBy === memberId)),
    webhooks: webhooks.filter(({ createdBy }) => createdBy?.type === 'user' && createdBy.id === memberId),
  }
}
