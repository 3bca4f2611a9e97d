import { acceptBreaker, type BreakerSettings, evaluateBreakers, setBreakerSettings } from '../../src/breakers/index.ts'
import type { BreakerKind } from '../../src/database/index.ts'
import { previewRebalance } from '../../src/rebalancing/index.ts'
import { checkBreakers, findUnannounced, findUnopened } from '../checks/breakers.ts'
import type { EvmRun } from '../evm-run.ts'
import { type TreasuryRun, treasuryOf } from '../treasury/treasury-of.ts'
import { Violation } from '../violation.ts'
import type { Action } from './action.ts'

/** What USDC is worth off its peg, in dollars with eight decimals. */
export const OFF_PEG = 88_000_000n
/** Worse than that by more than any threshold. */
export const FAR_OFF_PEG = 70_000_000n
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

interface StoppingBreaker {
  readonly strategyId: number
  readonly kind: BreakerKind
  readonly tokenAddress: string
}

/** A person accepts the fact behind a breaker that stops deposits: from then on it stops none. */
export const ACCEPT: Action<TreasuryRun> = {
  name: 'accept a circuit breaker',
  weight: 4,
  async act(run, random) {
    const { organizationId } = treasuryOf(run)
    const breaker = random.pick(await stoppingBreakers(run))
    if (!breaker) return
    const { strategyId, kind } = breaker
    const name = `${kind} of strategy ${strategyId}`
    const seen = run.breakersSeen.get(name)
    if (seen) run.breakersSeen.set(name, { ...seen, isAsked: true })
    const accepted = await run.request(`accept breaker ${name}`, () =>
      acceptBreaker(run.service.parts, { organizationId, strategyId, kind }),
    )
    if (accepted) await requireGoingOn(run, breaker)
  },
}

async function stoppingBreakers(run: TreasuryRun): Promise<readonly StoppingBreaker[]> {
  const { rows } = await run.database.reader.query<StoppingBreaker>(
    `select b.strategy_id::float8 as "strategyId", b.kind, s.token_address as "tokenAddress" from circuit_breakers b
      join strategies s on s.id = b.strategy_id
      where b.organization_id = $1 and b.state in ('open', 'recovering') order by b.strategy_id, b.kind`,
    [treasuryOf(run).organizationId],
  )
  return rows
}

/** Where no other breaker of the strategy stops them, deposits go on. */
async function requireGoingOn(run: TreasuryRun, { strategyId, kind, tokenAddress }: StoppingBreaker): Promise<void> {
  if ((await stoppingBreakers(run)).some((one) => one.strategyId === strategyId)) return
  const wallets = await treasuryOf(run).wallets()
  const opWallet = wallets.find((wallet) => wallet.tokenAddress === tokenAddress)
  if (!opWallet) return
  const preview = await run.request('preview', () =>
    previewRebalance(run.service.parts, { opWallet, buffer: 0n, enableYield: true }),
  )
  const verdict = preview?.weighed.find((one) => one.strategyId === strategyId)?.verdict
  if (verdict?.includes('circuit breaker'))
    throw new Violation(
      `strategy ${strategyId} takes no deposits although its breaker ${kind} was accepted: ${verdict}`,
    )
}

/** What opens circuit breakers, and the treasury's settings of them. */
export const BREAKERS: readonly Action<EvmRun>[] = [
  SET_BREAKERS,
  ACCEPT,
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
      world.markets[0]!.limits.usd = random.pick([10n ** 8n, 10n ** 8n, OFF_PEG, FAR_OFF_PEG])
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
  if ((await findLeft(run)) === undefined) return
  // One that just closed is judged before it can open again.
  await checkBreakers(run)
  // The process or the database may have ended midway, and leaves the rest to the next evaluation.
  const isDone = await request(run)
  const left = await findLeft(run)
  if (isDone && left !== undefined) throw new Violation(left)
}

/** What an evaluation has to do. */
async function findLeft(run: TreasuryRun): Promise<string | undefined> {
  const unopened = await findUnopened(run)
  if (unopened !== undefined) return `breaker ${unopened} does not open while its cause holds`
  const unannounced = await findUnannounced(run)
  return unannounced && `breaker ${unannounced} is open, and no event announced the fact that is there`
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
