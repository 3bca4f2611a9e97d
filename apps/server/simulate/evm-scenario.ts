import { expireOverdue } from '../src/operations/index.ts'
import { checkChain } from './checks/chain.ts'
import { checkAllEffects } from './checks/effects.ts'
import { checkQuiescence } from './checks/quiescence.ts'
import { checkBooks, checkStates } from './checks/steps.ts'
import { checkTreasury } from './checks/treasury.ts'
import { ACTIONS, CLIENTS, TREASURY } from './clients/actions.ts'
import { follow } from './clients/requests.ts'
import type { SimulationDatabase } from './database.ts'
import { EvmRun } from './evm-run.ts'
import { type Emphasis, type Scenario, weighActions } from './scenario.ts'
import { GOOD_NODES } from './service/node.ts'
import type { Sabotage } from './service/service.ts'
import { runHealthyAgents, runUntilQuiescent } from './treasury/quiesce.ts'

/** The actions that agents wait for after each transaction. */
const CHAIN: ReadonlySet<string> = new Set(['mine', 'follow the chain', 'let time pass'])

/** A seed on a chain with nonces, with clients and perhaps a treasury. */
export function createEvmScenario(
  seed: number,
  books: SimulationDatabase,
  sabotage: Sabotage,
  emphasis: Emphasis,
): Scenario<EvmRun> {
  const { faults = {}, treasury, signerFailure } = emphasis
  const hasTreasury = treasury === undefined ? undefined : Number(treasury)
  const run = new EvmRun(seed, books, { sabotage, faults, hasTreasury, signerFailure })
  return {
    run,
    setUp: () => run.setUp(),
    actions() {
      const actions = run.treasury ? [...ACTIONS, ...TREASURY] : ACTIONS
      return weighActions(run, actions, emphasis, (action) => {
        if (!run.treasury) return 1
        return CLIENTS.has(action) ? run.treasury.clients : CHAIN.has(action.name) ? 2 : 1
      })
    },
    check: checkAll,
    quiesce: () => quiesce(run),
  }
}

async function checkAll(play: EvmRun): Promise<void> {
  await checkBooks(play)
  await checkStates(play)
  await checkChain(play)
  if (play.treasury) await checkTreasury(play, play.treasury)
}

async function quiesce(play: EvmRun): Promise<void> {
  const { world, clock, service, treasury } = play
  Object.assign(play.faults, GOOD_NODES)
  Object.assign(world.weather, { leave: 0, forget: 0 })
  world.closed.clear()
  world.gasPercent = 100n
  world.baseFee = 30_000_000_000n
  service.restart()
  if (treasury) await runHealthyAgents(play, treasury)
  for (let turn = 0; turn < 6; turn += 1) {
    for (let count = 0; count < world.confirmations + (turn === 0 ? 20 : 0); count += 1) world.mine()
    await follow(play)
    await play.check(checkAll)
    // Long enough for plans to expire and lost transactions to count as dropped, and once for hanging ones to time out.
    clock.advance(turn === 2 ? 1_900_000 : 130_000)
    await play.request('expire', () => expireOverdue(service.parts))
    await play.check(checkAll)
  }
  if (treasury) await runUntilQuiescent(play, treasury, () => play.check(checkAll))
  await follow(play)
  await play.check(checkAll)
  await checkQuiescence(play)
  if (treasury) await checkAllEffects(play, treasury)
}
