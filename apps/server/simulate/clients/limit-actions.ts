import { setDepositLimits } from '../../src/rebalancing/index.ts'
import { strategiesOnChain } from '../../src/venues/index.ts'
import type { EvmRun } from '../evm-run.ts'
import { treasuryOf } from '../treasury/treasury-of.ts'
import type { Action } from './action.ts'

/** The treasury's limits of what Weir deposits by its own choice. */
export const LIMITS: readonly Action<EvmRun>[] = [
  {
    name: 'set deposit limits',
    weight: 3,
    async act(run, random) {
      const ids = await strategyIds(run)
      const some = random.shuffled(ids).slice(0, random.between(0, ids.length))
      const capped = random.shuffled(ids).slice(0, random.between(0, 2))
      await set(run, {
        allowedStrategies: random.chance(0.8) ? some : null,
        caps: capped.map((id) => ({
          kind: 'strategy' as const,
          of: String(id),
          shareBps: random.pick([0, 1_000, 3_000]),
        })),
      })
    },
  },
]

/** From here on every strategy takes deposits; those that pay later only if they did from the start. */
export async function liftLimits(run: EvmRun): Promise<void> {
  await set(run, { allowedStrategies: run.allowsExits ? await strategyIds(run) : null, caps: [] })
}

interface Limits {
  readonly allowedStrategies: readonly number[] | null
  readonly caps: readonly { readonly kind: 'strategy'; readonly of: string; readonly shareBps: number }[]
}

async function set(run: EvmRun, { allowedStrategies, caps }: Limits): Promise<void> {
  const { organizationId } = treasuryOf(run)
  const limits = { allowedStrategies, caps, poolShareBps: null, liquidityShareBps: null }
  await run.request(`limit deposits to ${JSON.stringify({ allowedStrategies, caps })}`, () =>
    setDepositLimits(run.service.parts, { organizationId, limits }),
  )
}

async function strategyIds(run: EvmRun): Promise<number[]> {
  return (await strategiesOnChain(run.database.db, 'polygon')).map(({ id }) => id)
}
