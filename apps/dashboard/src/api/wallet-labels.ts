import type { Schema } from './types.ts'
import { useApi } from './use-api.ts'

/** The labels that members gave to addresses, by address, and the read that they come from. */
export function useWalletLabels() {
  const wallets = useApi<Schema<'OrgWallet'>[]>('/api/core/wallets?limit=100&offset=0')
  const labels: ReadonlyMap<string, string> = new Map(
    (wallets.data?.data ?? []).map(({ address, label }) => [address, label]),
  )
  return { labels, wallets }
}
