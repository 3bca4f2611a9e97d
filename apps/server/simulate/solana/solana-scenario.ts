import { expireOverdue } from '../../src/operations/index.ts'
import { checkBooks, checkStates } from '../checks/steps.ts'
import { checkTreasury } from '../checks/treasury.ts'
import type { Action } from '../clients/action.ts'
import { TREASURY } from '../clients/actions.ts'
import { follow } from '../clients/requests.ts'
import type { SimulationDatabase } from '../database.ts'
import { type Emphasis, type Scenario, weighActions } from '../scenario.ts'
import { GOOD_NODES } from '../service/node.ts'
import type { Sabotage } from '../service/service.ts'
import { runHealthyAgents, runUntilQuiescent } from '../treasury/quiesce.ts'
import { checkChain } from './checks/chain.ts'
import { checkQuiescence } from './checks/quiescence.ts'
import { MACHINES } from './clients/machine-actions.ts'
import { OUTSIDE } from './clients/outside-actions.ts'
import { PLANNING } from './clients/plan-actions.ts'
import { SUBMITTING } from './clients/submit-actions.ts'
import { SolanaRun } from './solana-run.ts'

const ACTIONS: readonly Action<SolanaRun>[] = [...PLANNING, ...SUBMITTING, ...OUTSIDE, ...MACHINES]

const CLIENTS: ReadonlySet<Action<SolanaRun>> = new Set([...PLANNING, ...SUBMITTING])

/** A seed on Solana: bytes that expire, slots without blocks, forks, and a queue that drops transactions. */
export function createSolanaScenario(
  seed: number,
  books: SimulationDatabase,
  sabotage: Sabotage,
  emphasis: Emphasis,
): Scenario<SolanaRun> {
  const { faults = {}, treasury, signerFailure } = emphasis
  const hasTreasury = treasury === undefined ? undefined : Number(treasury)
  const run = new SolanaRun(seed, books, { sabotage, faults, hasTreasury, signerFailure })
  return {
    run,
    setUp: () => run.setUp(),
    actions() {
      const actions = run.treasury ? [...ACTIONS, ...TREASURY] : ACTIONS
      return weighActions(run, actions, emphasis, (action) =>
        run.treasury && CLIENTS.has(action) ? run.treasury.clients : 1,
      )
    },
    check: checkAll,
    quiesce: () => quiesce(run),
  }
}

async function checkAll(play: SolanaRun): Promise<void> {
  await checkBooks(play)
  await checkStates(play)
  await checkChain(play)
  if (play.treasury) await checkTreasury(play, play.treasury)
}

async function quiesce(play: SolanaRun): Promise<void> {
  const { cluster, clock, service, treasury } = play
  Object.assign(play.faults, GOOD_NODES)
  Object.assign(cluster.climate, { leave: 0, drop: 0, forget: 0 })
  cluster.closed.clear()
  cluster.unitsPercent = 100n
  service.restart()
  // A holder without lamports cannot send anything.
  cluster.give((state) => {
    for (const { address } of play.holders) state.lamports.set(address, 10n ** 10n)
  })
  if (treasury) await runHealthyAgents(play, treasury)
  for (let turn = 0; turn < 5; turn += 1) {
    // Once, long enough for all issued bytes to expire.
    play.mine(cluster.depth + 1 + (turn === 1 ? cluster.lifetime : 0))
    await follow(play)
    await play.check(checkAll)
    // Long enough for every plan to expire and for lost transactions to count as dropped.
    clock.advance(turn === 2 ? 1_900_000 : 130_000)
    await play.request('expire', () => expireOverdue(service.parts))
    await play.check(checkAll)
  }
  if (treasury) await runUntilQuiescent(play, treasury, () => play.check(checkAll))
  // Yield is posted hourly.
  cluster.pass(3_700)
  play.mine(cluster.depth + 1)
  await follow(play)
  await play.check(checkAll)
  await checkQuiescence(play)
}
