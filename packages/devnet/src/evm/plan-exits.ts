import { baseUnits, type EvmBlockchain } from './chains.ts'
import { curatorCalls, strategyOf } from './curator.ts'
import type { EvmStrategy, EvmToken } from './deployment.ts'
import { createdBy, type PlanBuilder } from './plan-builder.ts'

const SECONDS_PER_YEAR = 31_536_000n
/** Below every other rate of the chain: nothing goes there unless somebody says so. */
const RATE_BASIS_POINTS = { queue: 240, cooldown: 230 }
const COOLDOWN_SECONDS = 604_800n
/** The curator's deposit into each vault, in whole tokens. */
const DEPOSIT = 100_000n

/**
 * Plans the vaults whose withdrawals take time: one with asynchronous redemption as in ERC-7540, one with a cooldown.
 * All steps are the curator's: append, never change.
 */
export function planExits(
  plan: PlanBuilder,
  { blockchain, coin }: { readonly blockchain: EvmBlockchain; readonly coin: EvmToken },
): EvmStrategy[] {
  const curator = plan.accounts.curator.address
  const governor = plan.accounts.governor.address
  const call = curatorCalls(plan)
  const rate = (basisPoints: number) => (BigInt(basisPoints) * 10n ** 27n) / 10_000n / SECONDS_PER_YEAR
  const { symbol } = coin
  const queue = { name: `Queued ${symbol}`, rateBasisPoints: RATE_BASIS_POINTS.queue }
  const cooldown = { name: `Cooldown ${symbol}`, rateBasisPoints: RATE_BASIS_POINTS.cooldown }
  const queueVault = plan.deploy(
    'weir/AsyncRedeemVault',
    [coin.address, queue.name, `q${symbol}`, rate(queue.rateBasisPoints), governor],
    'curator',
  )
  const cooldownVault = plan.deploy(
    'weir/CooldownVault',
    [coin.address, cooldown.name, `cd${symbol}`, rate(cooldown.rateBasisPoints), governor, COOLDOWN_SECONDS],
    'curator',
  )
  call('DevToken', coin.address, 'mint', [curator, baseUnits(DEPOSIT) * 2n])
  for (const vault of [queueVault, cooldownVault]) {
    call('DevToken', coin.address, 'approve', [vault, baseUnits(DEPOSIT)])
    call('YieldVault', vault, 'deposit', [baseUnits(DEPOSIT), curator])
  }
  return [
    {
      ...strategyOf(coin),
      key: `erc7540:${blockchain}:${symbol}`,
      protocol: 'erc7540',
      name: queue.name,
      params: { vault: queueVault, rateBasisPoints: queue.rateBasisPoints },
    },
    {
      ...strategyOf(coin),
      key: `cooldown-vault:${blockchain}:${symbol}`,
      protocol: 'cooldown-vault',
      name: cooldown.name,
      params: { vault: cooldownVault, escrow: createdBy(cooldownVault, 1), rateBasisPoints: cooldown.rateBasisPoints },
    },
  ]
}
