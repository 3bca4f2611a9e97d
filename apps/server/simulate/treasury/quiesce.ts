import {
  abortAbandonedOperations,
  abortOverdueOperations,
  expireOverdue,
  failWithheldOperations,
  offerStuckTransactions,
} from '../../src/operations/index.ts'
import { scheduleDriftedWallets } from '../../src/rebalancing/index.ts'
import { findLeftBehind } from '../checks/evacuation.ts'
import { findUnsettled } from '../checks/treasury-quiescence.ts'
import { evaluate } from '../clients/breaker-actions.ts'
import { follow } from '../clients/requests.ts'
import type { Random } from '../random.ts'
import { Violation } from '../violation.ts'
import { decide, pendingOf, rebalance } from './people-actions.ts'
import type { Treasury } from './treasury.ts'
import type { TreasuryRun } from './treasury-of.ts'

/** Everything is settled after this many rounds of healthy agents and responsive people, or something is stuck. */
const ROUNDS_MAX = 60
/** So is a treasury in which nothing changes in as many rounds, four of which last half an hour. */
const STILL_ROUNDS_MAX = 16

/** From here on people approve everything, and agents start from scratch. */
export async function runHealthyAgents(run: TreasuryRun, treasury: Treasury): Promise<void> {
  run.clock.advance(1_000)
  for (const agent of treasury.agents) agent.abandon()
  await treasury.changeApprovals({ mode: 'automatic', from: 0n, required: 1 })
}

/** Agents, people and the rebalancer do what they should until nothing is left to do. */
export async function runUntilQuiescent(
  run: TreasuryRun,
  treasury: Treasury,
  look: () => Promise<void>,
): Promise<void> {
  const random = run.random.fork('rest of the treasury')
  let unsettled: string | undefined
  let last: string | undefined
  let still = 0
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    await runRound(run, treasury, random)
    if (run.letExitsMature?.()) await follow(run)
    await look()
    unsettled = await findUnsettled(run, run.marketLimits)
    if (unsettled === undefined) return
    const work = await stateOfWork(run)
    still = work === last ? still + 1 : 0
    if (still === STILL_ROUNDS_MAX) break
    last = work
    // The rebalancer pauses for an hour after an explicit unwind, and for half an hour after an agent gave up.
    if (round % 4 === 3) run.letBytesDie()
    run.clock.advance(round % 4 === 3 ? 1_850_000 : 40_000)
  }
  const { rows } = await run.database.reader.query(
    'select id, due_at, rebalance_failures, last_evaluation from operational_wallets',
  )
  run.record(JSON.stringify(rows))
  throw new Violation(`the treasury does not settle: ${unsettled}`)
}

/** A breaker that withdraws is open: agents and the rebalancer do what they should until all of its positions are empty. */
export async function runUntilEvacuated(
  run: TreasuryRun,
  treasury: Treasury,
  look: () => Promise<void>,
): Promise<void> {
  const random = run.random.fork('evacuation')
  let left: string | undefined
  for (let round = 0; round < STILL_ROUNDS_MAX; round += 1) {
    await evaluate(run)
    await runRound(run, treasury, random)
    if (run.letExitsMature?.()) await follow(run)
    await look()
    left = await findLeftBehind(run, run.refusedByAgents)
    if (left === undefined) return
    if (round % 4 === 3) run.letBytesDie()
    run.clock.advance(round % 4 === 3 ? 1_850_000 : 40_000)
  }
  throw new Violation(`an open circuit breaker does not withdraw everything: ${left}`)
}

async function stateOfWork({ database }: TreasuryRun): Promise<string> {
  const { rows } = await database.reader.query<{ state: string }>(
    `select md5(concat(
      (select string_agg(concat_ws(' ', id, state), ',' order by id) from operations), '|',
      (select string_agg(concat_ws(' ', id, state), ',' order by id) from transactions), '|',
      (select sum(rebalance_failures) from operational_wallets))) as state`,
  )
  return rows[0]!.state
}

async function runRound(run: TreasuryRun, treasury: Treasury, random: Random): Promise<void> {
  const { parts } = run.service
  await run.request('expire', () => expireOverdue(parts))
  await run.request('end withheld', () => failWithheldOperations(parts))
  await run.request('end abandoned', () => abortAbandonedOperations(parts))
  await run.request('abort overdue', () => abortOverdueOperations(parts))
  await run.request('offer stuck transactions', () => offerStuckTransactions(parts))
  for (const operationId of await pendingOf(run)) {
    for (const person of treasury.people.slice(0, 2)) await decide(run, operationId, person, true)
  }
  await run.request('schedule drifted wallets', () =>
    scheduleDriftedWallets(parts.db, parts.chains, { settings: parts.rebalancing, now: parts.clock.now() }),
  )
  await rebalance(run)
  await workOff(run, treasury, random)
}

/** Healthy agents sign, send and report under their leases what there is, and it lands at once if it can. */
export async function workOff(run: TreasuryRun, treasury: Treasury, random: Random): Promise<void> {
  for (let turn = 0; turn < 6; turn += 1) {
    const agent = random.pick(treasury.agents)
    await run.request(`${agent.name} polls`, agent.poll(random))
    const { work } = agent
    if (work && !(await agent.refuse(work, random))) {
      agent.sign(work, undefined)
      agent.send(work, random)
      const isKnown = work.sent === 'accepted' || work.sent === 'known'
      await (isKnown ? agent.reportSuccess(work, random, 1) : agent.reportFailure(work, random, 1))
      agent.abandon()
    }
    run.mineToFinal()
    await follow(run)
    if (!work) break
  }
}
