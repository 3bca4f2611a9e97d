import {
  abortAbandonedOperations,
  abortOverdueOperations,
  expireOverdue,
  failWithheldOperations,
} from '../../src/operations/index.ts'
import { scheduleDriftedWallets } from '../../src/rebalancing/index.ts'
import { findUnsettled } from '../checks/treasury-quiescence.ts'
import { follow } from '../clients/requests.ts'
import type { Random } from '../random.ts'
import { Violation } from '../violation.ts'
import { decide, pendingOf, rebalance } from './people-actions.ts'
import type { Treasury } from './treasury.ts'
import type { TreasuryRun } from './treasury-of.ts'

/** Everything is settled after this many rounds of healthy agents and responsive people, or something is stuck. */
const ROUNDS_MAX = 60

/** From here on people approve everything, and agents start from scratch. */
export async function runHealthyAgents(play: TreasuryRun, treasury: Treasury): Promise<void> {
  play.clock.advance(1_000)
  for (const agent of treasury.agents) agent.abandon()
  await treasury.changeApprovals({ mode: 'automatic', from: 0n, required: 1 })
}

/** Agents, people and the rebalancer do what they should until nothing is left to do. */
export async function runUntilQuiescent(
  play: TreasuryRun,
  treasury: Treasury,
  look: () => Promise<void>,
): Promise<void> {
  const random = play.random.fork('rest of the treasury')
  let unsettled: string | undefined
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    await runRound(play, treasury, random)
    await look()
    unsettled = await findUnsettled(play)
    if (unsettled === undefined) return
    // The rebalancer pauses for an hour after an explicit unwind, and for half an hour after an agent gave up.
    if (round % 4 === 3) play.letBytesDie()
    play.clock.advance(round % 4 === 3 ? 1_850_000 : 40_000)
  }
  const { rows } = await play.books.reader.query(
    'select id, due_at, rebalance_failures, last_evaluation from operational_wallets',
  )
  play.record(JSON.stringify(rows))
  throw new Violation(`the treasury does not settle: ${unsettled}`)
}

async function runRound(play: TreasuryRun, treasury: Treasury, random: Random): Promise<void> {
  const { parts } = play.service
  await play.request('expire', () => expireOverdue(parts))
  await play.request('end withheld', () => failWithheldOperations(parts))
  await play.request('end abandoned', () => abortAbandonedOperations(parts))
  await play.request('abort overdue', () => abortOverdueOperations(parts))
  for (const operationId of await pendingOf(play)) {
    for (const person of treasury.people.slice(0, 2)) await decide(play, operationId, person, true)
  }
  await play.request('screen', () =>
    scheduleDriftedWallets(parts.db, parts.chains, { settings: parts.rebalancing, now: parts.clock.now() }),
  )
  await rebalance(play)
  for (let turn = 0; turn < 6; turn += 1) {
    const agent = random.pick(treasury.agents)
    await play.request(`${agent.name} polls`, agent.poll(random))
    const { work } = agent
    if (work) {
      agent.sign(work, undefined)
      agent.send(work, random)
      const isKnown = work.sent === 'accepted' || work.sent === 'known'
      await (isKnown ? agent.reportSuccess(work, random) : agent.reportFailure(work, random))
      agent.abandon()
    }
    play.mineToFinal()
    await follow(play)
    if (!work) break
  }
}
