import type { EvmRun } from '../evm-run.ts'
import { treasuryOf } from '../treasury/treasury-of.ts'
import { isSlow } from '../world/exits.ts'
import type { Action } from './action.ts'

const TOKEN = 1_000_000n
/** A vault that keeps a part of what is withdrawn keeps a hundredth. */
const HIDDEN_BPS = 100n

/** Markets that say less than they do, nodes that give up on them, and strangers who give what nobody wants. */
export const ODD: readonly Action<EvmRun>[] = [
  {
    name: 'bound single withdrawals',
    weight: 2,
    async act({ world }, random) {
      const { limits } = random.pick(world.markets.filter((market) => !isSlow(market)))
      limits.most = random.chance(0.7) ? BigInt(random.between(400, 900)) * TOKEN : null
    },
  },
  {
    name: 'keep a part of withdrawals',
    weight: 2,
    async act({ world }, random) {
      const { limits } = world.markets.find(({ protocol }) => protocol === 'erc4626')!
      limits.hiddenBps = random.chance(0.6) ? HIDDEN_BPS : 0n
    },
  },
  {
    name: 'let nodes give up on a market',
    weight: 2,
    async act({ world }, random) {
      const { contract } = random.pick(world.markets.filter((market) => !isSlow(market)))
      const isHeavy = random.chance(0.6)
      for (const market of world.markets) if (market.contract === contract) market.limits.isHeavy = isHeavy
    },
  },
  {
    name: 'give a wallet a crumb of a position',
    weight: 3,
    async act(run, random) {
      const market = random.pick(run.world.markets.filter((one) => !isSlow(one)))
      const holder = random.pick(run.holders.filter(({ accounts }) => accounts.some((one) => isOfTreasury(run, one))))
      if (!holder) return
      const amount = BigInt(random.between(10, 9_000))
      run.record(`  ${run.stranger.approve(market, amount)} ${run.stranger.deposit(market, amount, holder.address)}`)
    },
  },
]

const isOfTreasury = (run: EvmRun, { organizationId }: { readonly organizationId: number }): boolean =>
  organizationId === treasuryOf(run).organizationId
