import { expect } from 'vitest'
import type { AllocationList, Strategy, WalletDetail } from '../clients/api-types.ts'
import type { HttpClient } from '../clients/client.ts'
import type { System } from '../service/start-system.ts'
import { type Holder, tokensOf, worthOf } from './read-chain.ts'

interface Books {
  readonly system: System
  readonly core: HttpClient
  readonly walletId: number
}

/**
 * The books of a wallet equal the chain: its tokens to the last unit, and what it has in these strategies of one token as
 * the contracts counted it when the books read it last. Returns the values of the positions.
 */
export async function expectOnChain(
  { system, core, walletId }: Books,
  strategies: readonly Strategy[],
): Promise<readonly bigint[]> {
  const { walletAddress: address, ...wallet } = (await system.profile.get<WalletDetail>(`/v1/wallets/${walletId}`)).body
  const holder: Holder = { blockchain: wallet.blockchain, address }
  const [{ token, tokenAddress }] = strategies as readonly [Strategy]
  expect(wallet.balances.find((balance) => balance.token === token)).toMatchObject({
    available: String(await tokensOf(system, holder, tokenAddress)),
    reserved: '0',
  })
  const { allocations } = (await system.profile.post<AllocationList>('/v1/allocations', { walletId })).body
  const values: bigint[] = []
  for (const { strategyId, name } of strategies) {
    const risk = await core.get<{ data: { contracts: Record<string, string> } }>(
      `/api/core/strategy-risks/${strategyId}`,
    )
    const { contracts } = risk.body.data
    const position = allocations.find((allocation) => allocation.strategyId === strategyId)
    const value = BigInt(position?.currentValue ?? '0')
    const at = position && new Date(position.lastUpdated)
    const difference = value - (await worthOf(system, holder, contracts, at))
    // The books have a price per share, which loses digits.
    expect(difference, name).toBeGreaterThanOrEqual(-2n)
    expect(difference, name).toBeLessThanOrEqual(2n)
    values.push(value)
  }
  return values
}
