import { type DepositLimits, setCap, setDepositLimits } from '../../src/rebalancing/index.ts'
import { strategiesOnChain } from '../../src/venues/index.ts'
import type { EvmRun } from '../evm-run.ts'
import type { Random } from '../random.ts'
import { workOff } from '../treasury/quiesce.ts'
import { treasuryOf } from '../treasury/treasury-of.ts'
import type { Action } from './action.ts'

const TOKEN = 1_000_000n
type Caps = DepositLimits['caps']

/** The treasury's limits of what Weir deposits on its own. */
export const LIMITS: readonly Action<EvmRun>[] = [
  {
    name: 'set deposit limits',
    weight: 6,
    async act(run, random) {
      const ids = await strategyIds(run)
      const some = random.shuffled(ids).slice(0, random.between(0, ids.length))
      const capped = random.shuffled(ids).slice(0, random.between(0, 2))
      const shareBps = () => random.pick([0, 1_000, 3_000])
      const ofStrategies = capped.map((id) => ({ kind: 'strategy' as const, of: String(id), shareBps: shareBps() }))
      await set(run, {
        allowedStrategies: random.chance(0.8) ? some : null,
        caps: [...ofStrategies, ...widerCaps(run, random)],
        ...boundsOfPools(random, 0.3),
      })
    },
  },
  {
    name: 'let pools bound deposits',
    weight: 3,
    async act(run, random) {
      await set(run, {
        allowedStrategies: await everyStrategy(run),
        caps: [],
        ...boundsOfPools(random, 0.6),
      })
    },
  },
  {
    name: 'cap a strategy',
    weight: 3,
    async act(run, random) {
      const strategyId = random.pick(await strategyIds(run))
      await cap(run, strategyId, random.chance(0.7) ? random.pick([0, 500, 2_000, 5_000]) : null)
    },
  },
  {
    // Limits of positions matter once there are some.
    name: 'agents do all that waits',
    weight: 5,
    async act(run, random) {
      const treasury = treasuryOf(run)
      for (const agent of treasury.agents) agent.abandon()
      await workOff(run, treasury, random)
    },
  },
  {
    name: 'others leave a pool',
    weight: 4,
    async act({ world }, random) {
      const { limits } = random.pick(world.markets)
      limits.others = random.chance(0.2) ? null : BigInt(random.between(1, 40_000)) * TOKEN
    },
  },
]

/** What pools report bounds deposits. `often`: how likely each kind of bound is. */
function boundsOfPools(random: Random, often: number): Omit<DepositLimits, 'allowedStrategies' | 'caps'> {
  const one = (choices: readonly number[]) => (random.chance(often) ? random.pick(choices) : null)
  return {
    poolShareBps: one([500, 1_000, 5_000]),
    liquidityShareBps: one([1_000, 2_500, 5_000]),
    priceFallBps: one([10, 100]),
    withdrawableShareBps: one([2_000, 9_000]),
  }
}

function widerCaps({ world }: EvmRun, random: Random): Caps {
  const shareBps = () => random.pick([1_000, 3_000, 6_000])
  const { protocol } = random.pick(world.markets)
  return [
    ...(random.chance(0.5) ? [{ kind: 'protocol' as const, of: protocol, shareBps: shareBps() }] : []),
    ...(random.chance(0.3) ? [{ kind: 'blockchain' as const, of: 'polygon', shareBps: shareBps() }] : []),
  ]
}

/** From here on every strategy takes deposits; those that pay later only if they did from the start. */
export async function liftLimits(run: EvmRun): Promise<void> {
  const allowedStrategies = await everyStrategy(run)
  await set(run, { allowedStrategies, caps: [], poolShareBps: null, liquidityShareBps: null })
  for (const id of await strategyIds(run)) await cap(run, id, null)
}

const everyStrategy = async (run: EvmRun): Promise<number[] | null> => (run.allowsExits ? await strategyIds(run) : null)

async function cap(run: EvmRun, strategyId: number, shareBps: number | null): Promise<void> {
  const { organizationId } = treasuryOf(run)
  await run.request(`cap strategy ${strategyId} at ${shareBps}`, () =>
    setCap(run.service.parts, { organizationId, strategyId, shareBps }),
  )
}

async function set(run: EvmRun, limits: DepositLimits): Promise<void> {
  const { organizationId } = treasuryOf(run)
  await run.request(`limit deposits to ${JSON.stringify(limits)}`, () =>
    setDepositLimits(run.service.parts, { organizationId, limits }),
  )
}

async function strategyIds(run: EvmRun): Promise<number[]> {
  return (await strategiesOnChain(run.database.db, 'polygon')).map(({ id }) => id)
}
