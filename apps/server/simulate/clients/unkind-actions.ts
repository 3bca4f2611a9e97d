import type { EvmRun } from '../evm-run.ts'
import type { Action } from './action.ts'

const TOKEN = 1_000_000n

/** Markets as real ones are: lent out, full, or refusing although they say otherwise. */
export const UNKIND: readonly Action<EvmRun>[] = [
  {
    name: 'lend out a market',
    weight: 4,
    async act({ world }, random) {
      const { limits, token, safe } = random.pick(world.markets)
      const left = random.chance(0.3) ? 0n : BigInt(random.between(1, 400)) * TOKEN
      limits.lent = random.chance(0.3) ? 0n : world.latest.state.balance(token, safe) - left
    },
  },
  {
    name: 'close a market to deposits',
    weight: 2,
    async act({ world }, random) {
      const { limits, token, safe } = random.pick(world.markets)
      limits.accepts = random.chance(0.6)
      const room = random.chance(0.3) ? 0n : BigInt(random.between(1, 400)) * TOKEN
      const deposits = world.latest.state.balance(token, safe)
      limits.cap = random.chance(0.5) ? ((deposits + room) / TOKEN + 1n) * TOKEN : null
    },
  },
  {
    name: 'refuse withdrawals',
    weight: 2,
    async act({ world }, random) {
      const { limits } = random.pick(world.markets)
      limits.refuses = random.chance(0.5)
    },
  },
]
