import { unitsOf } from '../../server/tour/amounts.ts'
import type { Say } from '../../server/tour/layout.ts'
import type { People } from '../../server/tour/people.ts'
import { until } from '../../server/tour/until.ts'

/** An operational wallet, in base units. */
export interface OperationalWallet {
  readonly id: number
  readonly address: string
  readonly blockchain: string
  /** In the wallet and free. */
  readonly available: bigint
  /** What its positions are worth. */
  readonly deployed: bigint
}

interface Monitored {
  readonly id: number
  readonly address: string
  readonly blockchain: string
  readonly availableBalance: string
  readonly deployedBalance: string
}

export async function readWallets(people: People, ids: readonly number[]): Promise<OperationalWallet[]> {
  const all = await people.get<Monitored[]>('/api/core/wallets/monitored')
  return ids.flatMap((wanted) =>
    all
      .filter(({ id }) => id === wanted)
      .map(({ id, address, blockchain, availableBalance, deployedBalance }) => {
        return { id, address, blockchain, available: unitsOf(availableBalance), deployed: unitsOf(deployedBalance) }
      }),
  )
}

interface ExpectedWallets {
  readonly ids: readonly number[]
  readonly isSettled: (wallet: OperationalWallet) => boolean
  readonly move: string
  readonly say: Say
}

/** Waits until every wallet is in its expected state after `move`; meanwhile prints which ones are not. */
export function settled(
  people: People,
  { ids, isSettled, move, say }: ExpectedWallets,
): Promise<readonly OperationalWallet[]> {
  let open: readonly OperationalWallet[] = []
  const what = () => [move, open.map(({ blockchain }) => blockchain).join(', ')].filter(Boolean).join(' on ')
  return until(say, what, async () => {
    const found = await readWallets(people, ids)
    open = found.filter((wallet) => !isSettled(wallet))
    return open.length === 0 ? found : undefined
  })
}

/** A wallet's position in a strategy, in base units. */
export interface Position {
  readonly id: number
  readonly opWalletId: number
  readonly strategyId: number
  readonly principal: bigint
  readonly value: bigint
  /** What the strategy would pay now. */
  readonly withdrawable: bigint
}

interface ListedAllocation {
  readonly id: number
  readonly opWalletId: number
  readonly strategyId: number
  readonly allocatedBase: string
  readonly currentValue: string
  readonly withdrawable: string | null
}

/** The open positions of these wallets, in their order. */
export async function readPositions(people: People, ids: readonly number[]): Promise<Position[]> {
  const { allocations } = await people.get<{ allocations: ListedAllocation[] }>('/api/v1/allocations?status=ACTIVE')
  return ids.flatMap((wallet) =>
    allocations
      .filter(({ opWalletId }) => opWalletId === wallet)
      .map(({ id, opWalletId, strategyId, allocatedBase, currentValue, withdrawable }) => ({
        id,
        opWalletId,
        strategyId,
        principal: unitsOf(allocatedBase),
        value: unitsOf(currentValue),
        withdrawable: unitsOf(withdrawable ?? '0'),
      }))
      .toSorted((a, b) => a.id - b.id),
  )
}
