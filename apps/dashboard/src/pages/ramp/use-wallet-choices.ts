import type { Schema } from '../../api/types.ts'
import { useApi } from '../../api/use-api.ts'
import { chainName } from '../../parts/values.tsx'

/** The wallets to choose from; `undefined` while they load. */
export function useWalletChoices(): { readonly value: string; readonly label: string }[] | undefined {
  const wallets = useApi<Schema<'OrgWallet'>[]>('/api/core/wallets?limit=100&offset=0')
  return wallets.data?.data.map(({ id, label, address, blockchain }) => ({
    value: String(id),
    label: `${label || address.slice(0, 10)} on ${chainName(blockchain)}`,
  }))
}
