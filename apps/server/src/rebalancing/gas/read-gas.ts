import type { Chains } from '../../chains/index.ts'
import type { Database } from '../../database/index.ts'
import { LIST_LIMIT_MAX } from '../../kernel/index.ts'
import { runwaysOf } from './measure-gas.ts'

/** The gas of one operational wallet. */
export interface WalletGas {
  readonly walletId: number
  readonly address: string
  readonly label: string | null
  readonly blockchain: string
  /** Supplies or unwinds at the chain's current fees; null while the chain is unavailable or asks no fee. */
  readonly transactions: number | null
}

/** The gas of the organization's first operational wallets, from each chain in one batched read; the least first. */
export async function readGas(
  { db, chains }: { readonly db: Database; readonly chains: Chains },
  organizationId: number,
): Promise<WalletGas[]> {
  const rows = await db
    .selectFrom('operational_wallets as ow')
    .innerJoin('wallets as w', (join) =>
      join.onRef('w.organization_id', '=', 'ow.organization_id').onRef('w.id', '=', 'ow.wallet_id'),
    )
    .where('ow.organization_id', '=', organizationId)
    .select(['ow.wallet_id', 'w.address', 'w.label', 'w.blockchain'])
    .distinctOn('ow.wallet_id')
    .orderBy('ow.wallet_id')
    .limit(LIST_LIMIT_MAX)
    .execute()
  const read = [...Map.groupBy(rows, ({ blockchain }) => blockchain)].map(async ([blockchain, wallets]) => {
    const chain = chains.get(blockchain)
    const runways = (chain && (await runwaysOf(chain, wallets))) ?? []
    const left = new Map(runways.map(({ walletId, transactions }) => [walletId, transactions]))
    return wallets.map(({ wallet_id: walletId, address, label }) => {
      return { walletId, address, label, blockchain, transactions: left.get(walletId) ?? null }
    })
  })
  const gas = (await Promise.all(read)).flat()
  return gas.sort(
    (a, b) => (a.transactions ?? Number.POSITIVE_INFINITY) - (b.transactions ?? Number.POSITIVE_INFINITY) || 0,
  )
}
