import { type BreakerSettings, evaluateBreakers, setBreakerSettings } from '../../src/breakers/index.ts'
import { checkBreakers, findUnopened } from '../checks/breakers.ts'
import type { EvmRun } from '../evm-run.ts'
import { type TreasuryRun, treasuryOf } from '../treasury/treasury-of.ts'
import { Violation } from '../violation.ts'
import type { Action } from './action.ts'

/** What USDC is worth off its peg, in dollars with eight decimals. */
export const OFF_PEG = 88_000_000n
const OFF: BreakerSettings = {
  priceFallBps: null,
  pegDistanceBps: null,
  withdrawableShareBps: null,
  onUpgrade: false,
  withdraw: false,
  recoverySeconds: 60,
}

export const SET_BREAKERS: Action<TreasuryRun> = {
  name: 'set circuit breakers',
  weight: 3,
  async act(run, random) {
    const share = (bps: number) => (random.chance(0.7) ? bps : null)
    await set(run, {
      priceFallBps: share(100),
      pegDistanceBps: share(200),
      withdrawableShareBps: share(2_000),
      onUpgrade: random.chance(0.7),
      withdraw: random.chance(0.5),
      recoverySeconds: random.pick([60, 3_600]),
    })
  },
}

/** What opens circuit breakers, and the treasury's settings of them. */
export const BREAKERS: readonly Action<EvmRun>[] = [
  SET_BREAKERS,
  {
    name: 'upgrade a market',
    weight: 2,
    async act({ world }, random) {
      random.pick(world.markets).limits.code += 1
    },
  },
  {
    name: 'move USDC off its peg',
    weight: 2,
    async act({ world }, random) {
      world.markets[0]!.limits.usd = random.chance(0.5) ? 10n ** 8n : OFF_PEG
    },
  },
]

/** What the service does every few seconds, also where no wallet is due. */
export const EVALUATE: Action<TreasuryRun> = {
  name: 'evaluate circuit breakers',
  weight: 6,
  act: evaluate,
}

/** An evaluation opens every breaker whose cause holds. */
export async function evaluate(run: TreasuryRun): Promise<void> {
  await request(run)
  if ((await findUnopened(run)) === undefined) return
  // One that just closed is judged before it can open again.
  await checkBreakers(run)
  // The process or the database may have ended midway, and leaves the rest to the next evaluation.
  const isDone = await request(run)
  const unopened = await findUnopened(run)
  if (isDone && unopened !== undefined) throw new Violation(`breaker ${unopened} does not open while its cause holds`)
}

const request = async (run: TreasuryRun): Promise<boolean> =>
  (await run.request('evaluate circuit breakers', () => evaluateBreakers(run.service.parts))) !== undefined

/** From here on no fact stops deposits. */
export const closeBreakers = (run: TreasuryRun): Promise<void> => set(run, OFF)

/** From here on a token that is off its peg is withdrawn from everywhere. */
export const withdrawOffPeg = (run: TreasuryRun): Promise<void> =>
  set(run, { ...OFF, pegDistanceBps: 200, withdraw: true })

async function set(run: TreasuryRun, settings: BreakerSettings): Promise<void> {
  const { organizationId } = treasuryOf(run)
  await run.request(`set circuit breakers to ${JSON.stringify(settings)}`, () =>
    setBreakerSettings(run.service.parts, { organizationId, settings }),
  )
}
