import type { EvmRun } from '../evm-run.ts'
import { decide, pendingOf, rebalance } from '../treasury/people-actions.ts'
import { treasuryOf } from '../treasury/treasury-of.ts'
import { isSlow } from '../world/exits.ts'
import type { Action } from './action.ts'
import { evaluate, OFF_PEG, withdrawOffPeg } from './breaker-actions.ts'

/** Agents whose list has every market but one, or every one. */
export const REFUSING: Action<EvmRun> = {
  name: 'agents refuse a market',
  weight: 3,
  async act(run, random) {
    const refused = random.chance(0.8) ? random.pick(run.world.markets.filter((market) => !isSlow(market))) : undefined
    refuseOnly(run, refused?.key)
  },
}

/** A circuit breaker asks for all that is in USDC, and people keep it. */
export const KEEPING: Action<EvmRun> = {
  name: 'reject what a circuit breaker withdraws',
  weight: 2,
  async act(run, random) {
    const treasury = treasuryOf(run)
    await treasury.changeApprovals({ mode: 'manual', from: 0n, required: 1 })
    run.world.markets[0]!.limits.usd = OFF_PEG
    await withdrawOffPeg(run)
    await evaluate(run)
    await rebalance(run)
    const person = random.pick(treasury.people)!
    for (const operationId of await pendingOf(run)) await decide(run, operationId, person, false)
    await rebalance(run)
  },
}

/** From here on agents refuse this market only; without a key, none. */
export function refuseOnly({ world }: Pick<EvmRun, 'world'>, key?: string): void {
  for (const market of world.markets) market.limits.isUnlisted = market.key === key
}
