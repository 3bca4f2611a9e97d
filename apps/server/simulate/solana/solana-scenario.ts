import { BLOCKHASH_MARGIN_BLOCKS, FINAL_BLOCKS_AHEAD_MAX } from '../../src/kernel/index.ts'
import { expireOverdue } from '../../src/operations/index.ts'
import { checkBreakers } from '../checks/breakers.ts'
import { checkBreaks } from '../checks/breaks.ts'
import { checkHistory } from '../checks/history.ts'
import { checkLosses } from '../checks/losses.ts'
import { checkQuarantine, endQuarantines, expectNoQuarantine } from '../checks/quarantine.ts'
import { checkCursor, checkLedger, checkStates } from '../checks/steps.ts'
import { checkTreasury } from '../checks/treasury.ts'
import type { Action } from '../clients/action.ts'
import { TREASURY } from '../clients/actions.ts'
import { ACCEPT_BREAK } from '../clients/break-actions.ts'
import { ACCEPT, closeBreakers, EVALUATE, OFF_PEG, SET_BREAKERS, withdrawOffPeg } from '../clients/breaker-actions.ts'
import { GO_BACK } from '../clients/history-actions.ts'
import { QUARANTINE } from '../clients/quarantine-actions.ts'
import { follow } from '../clients/requests.ts'
import { WORKERS } from '../clients/worker-actions.ts'
import type { SimulationDatabase } from '../database.ts'
import { type Emphasis, type Scenario, weighActions } from '../scenario.ts'
import { GOOD_NODES } from '../service/node.ts'
import type { Sabotage } from '../service/service.ts'
import { runHealthyAgents, runUntilEvacuated, runUntilQuiescent } from '../treasury/quiesce.ts'
import { checkChain } from './checks/chain.ts'
import { checkEndedDays, checkSnapshots } from './checks/ended-days.ts'
import { checkWithdrawable } from './checks/payable.ts'
import { checkQuiescence } from './checks/quiescence.ts'
import { MACHINES, SPAM } from './clients/machine-actions.ts'
import { OUTSIDE } from './clients/outside-actions.ts'
import { PLANNING } from './clients/plan-actions.ts'
import { SUBMITTING } from './clients/submit-actions.ts'
import { FACTS, openVaults, priceUsdc, UNKIND } from './clients/unkind-actions.ts'
import { SolanaRun } from './solana-run.ts'

const ACTIONS: readonly Action<SolanaRun>[] = [...PLANNING, ...SUBMITTING, ...OUTSIDE, ...MACHINES]

const CLIENTS: ReadonlySet<Action<SolanaRun>> = new Set([...PLANNING, ...SUBMITTING])

/** A seed on Solana: bytes that expire, slots without blocks, forks, and a queue that drops transactions. */
export function createSolanaScenario(
  seed: number,
  database: SimulationDatabase,
  sabotage: Sabotage,
  emphasis: Emphasis,
): Scenario<SolanaRun> {
  const {
    faults = {},
    treasury,
    signerFailure,
    unkind,
    breakers,
    spam,
    workers = true,
    breaks = treasury === undefined,
    quarantine = treasury === undefined,
    history = treasury === undefined,
  } = emphasis
  const hasTreasury = treasury === undefined ? undefined : Number(treasury)
  const run = new SolanaRun(seed, database, {
    sabotage,
    faults,
    hasTreasury,
    signerFailure,
    unkind,
    breakers,
    spam,
    workers,
  })
  return {
    run,
    setUp: () => run.setUp(),
    actions() {
      const usual = run.treasury ? [...ACTIONS, ...TREASURY] : ACTIONS
      const actions = [
        ...usual,
        ...(run.isUnkind ? UNKIND : []),
        ...(run.hasBreakers ? [SET_BREAKERS, ACCEPT, EVALUATE, ...FACTS] : []),
        ...(workers ? WORKERS : []),
        ...(run.isSpammed ? SPAM : []),
        ...(breaks ? [ACCEPT_BREAK] : []),
        ...(quarantine ? QUARANTINE : []),
        ...(history ? [GO_BACK] : []),
      ]
      return weighActions(run, actions, emphasis, (action) =>
        run.treasury && CLIENTS.has(action) ? run.treasury.clients : 1,
      )
    },
    check: checkAll,
    quiesce: () => quiesce(run),
  }
}

async function checkAll(run: SolanaRun): Promise<void> {
  await checkLedger(run)
  await checkStates(run)
  await checkCursor(run)
  await checkChain(run)
  await checkBreaks(run)
  await checkHistory(run)
  await checkQuarantine(run)
  await checkLosses(run)
  await checkSnapshots(run)
  if (run.isUnkind) await checkWithdrawable(run)
  if (run.treasury) await checkTreasury(run, run.treasury)
  if (run.hasBreakers) await checkBreakers(run)
}

async function quiesce(run: SolanaRun): Promise<void> {
  const { cluster, clock, service, treasury } = run
  Object.assign(run.faults, GOOD_NODES)
  Object.assign(cluster.conditions, { leave: 0, drop: 0, forget: 0 })
  cluster.closed.clear()
  cluster.spammed.clear()
  cluster.unitsPercent = 100n
  service.restart()
  await endQuarantines(run)
  giveLamports(run)
  if (treasury) await runHealthyAgents(run, treasury)
  if (run.hasBreakers) await closeBreakers(run)
  await catchUp(run)
  for (let turn = 0; turn < 5; turn += 1) {
    // Once, long enough for all issued bytes to expire.
    run.mine(cluster.depth + 1 + (turn === 1 ? cluster.lifetime + BLOCKHASH_MARGIN_BLOCKS : 0))
    await follow(run)
    await run.check(checkAll)
    // Long enough for every plan to expire and for lost transactions to count as dropped.
    clock.advance(turn === 2 ? 1_900_000 : 130_000)
    await run.request('expire', () => expireOverdue(service.parts))
    await run.check(checkAll)
  }
  // What drains a holder may have landed only now.
  giveLamports(run)
  if (treasury) await runUntilQuiescent(run, treasury, () => run.check(checkAll))
  if (run.isUnkind) {
    // What vaults could not pay or take so far, they can from here on.
    openVaults(run)
    run.mine(cluster.depth + 1)
    clock.advance(3_600_000)
    if (treasury) await runUntilQuiescent(run, treasury, () => run.check(checkAll))
  }
  if (treasury && run.hasBreakers) {
    priceUsdc(run, OFF_PEG)
    await withdrawOffPeg(run)
    await runUntilEvacuated(run, treasury, () => run.check(checkAll))
  }
  // The end of a day posts yield; a check of every hour finds what was posted more than 25 hours ago.
  cluster.pass(90_100)
  run.mine(cluster.depth + 1)
  await follow(run)
  await run.check(checkAll)
  await expectNoQuarantine(run)
  await checkQuiescence(run)
  await checkEndedDays(run)
}

/**
 * The service's clock may be days behind the cluster's. Blocks far ahead of the cursor are believed only once there was
 * time for them, which there is when a clock is right again.
 */
async function catchUp({ cluster, clock, database }: SolanaRun): Promise<void> {
  const { rows } = await database.reader.query<{ final_number: number }>('select final_number from chain_cursors')
  const cursor = Math.min(cluster.final.slot, ...rows.map(({ final_number }) => final_number))
  if (cluster.final.slot - cursor < FINAL_BLOCKS_AHEAD_MAX.always / 2) return
  clock.advance(Math.max(0, cluster.final.time * 1_000 - clock.now().getTime()))
}

/** A holder without lamports cannot send anything. */
function giveLamports({ cluster, holders }: SolanaRun): void {
  cluster.give((state) => {
    for (const { address } of holders) state.lamports.set(address, 10n ** 10n)
  })
}
