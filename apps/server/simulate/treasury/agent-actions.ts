import {
  abortAbandonedOperations,
  abortOverdueOperations,
  cancelOperation,
  failWithheldOperations,
  issueUnsignedTransactions,
  offerStuckTransactions,
  submitSigned,
} from '../../src/operations/index.ts'
import type { Action } from '../clients/action.ts'
import { Violation } from '../violation.ts'
import { type TreasuryRun, treasuryOf } from './treasury-of.ts'

/** Actions of custody agents and with their bytes. */
export const AGENTS: readonly Action<TreasuryRun>[] = [
  {
    name: 'an agent acts',
    weight: 30,
    async act(run, random) {
      const { agents } = treasuryOf(run)
      for (let count = random.between(1, 4); count > 0; count -= 1) {
        const busy = random.pick(agents.filter(({ work }) => work))
        await (busy && random.chance(0.7) ? busy : random.pick(agents)).advance(random)
        run.clock.advance(random.pick([0, 200, 1_500, 4_000, 31_000]))
      }
    },
  },
  {
    name: 'agents act concurrently',
    weight: 8,
    async act(run, random) {
      const idle = random.shuffled(treasuryOf(run).agents).filter(({ work }) => !work)
      const polls = idle
        .slice(0, random.between(2, 4))
        .map((agent) => [`${agent.name} polls`, agent.poll(random)] as const)
      if (polls.length > 0) await run.requests(polls)
    },
  },
  {
    name: 'an agent polls while the chain is followed',
    weight: 3,
    async act(run, random) {
      const agent = random.pick(treasuryOf(run).agents)
      if (agent.work) return
      await run.requests<void>([
        ['follow', () => run.service.round(new AbortController().signal)],
        [`${agent.name} polls`, agent.poll(random)],
      ])
    },
  },
  {
    name: 'an agent dies',
    weight: 5,
    async act(run, random) {
      const { agents } = treasuryOf(run)
      const busy = random.pick(agents.filter(({ work }) => work))
      ;(busy ?? random.pick(agents)).die(random)
    },
  },
  {
    name: 'an agent stalls',
    weight: 4,
    async act(run, random) {
      run.clock.advance(random.pick([5_000, 35_000, 65_000, 200_000]))
    },
  },
  {
    name: 'an agent reports late',
    weight: 6,
    async act(run, random) {
      const agent = random.pick(treasuryOf(run).agents)
      const work = random.pick(agent.past.slice(-5))
      if (!work) return
      if (random.chance(0.6)) await agent.reportSuccess(work, random)
      else await agent.reportFailure(work, random)
    },
  },
  {
    name: 'an agent sends old bytes',
    weight: 4,
    async act(run, random) {
      const agent = random.pick(treasuryOf(run).agents)
      const work = random.pick(agent.past.slice(-6))
      if (!work) return
      if (!work.raw || random.chance(0.3)) agent.sign(work, random.int(1_000))
      agent.send(work, random)
      if (random.chance(0.4)) await agent.reportSuccess(work, random)
    },
  },
  {
    name: 'sweep agent work',
    weight: 5,
    async act(run, random) {
      if (random.chance(0.3)) run.clock.advance(random.pick([1_800_000, 86_400_000]))
      const { parts } = run.service
      await run.request('end withheld', () => failWithheldOperations(parts))
      await run.request('end abandoned', () => abortAbandonedOperations(parts))
      await run.request('abort overdue', () => abortOverdueOperations(parts))
      await run.request('offer stuck transactions', () => offerStuckTransactions(parts))
    },
  },
  {
    name: 'a client takes hold of what is an agent’s',
    weight: 2,
    async act(run, random) {
      const version = random.pick(treasuryOf(run).issued.all().slice(-4))
      if (!version) return
      const { operationId, organizationId } = version.operation
      const scope = { organizationId, walletProfileId: null }
      const { parts } = run.service
      const signedTransaction = treasuryOf(run).signed(version)
      const [name, work] = random.pick([
        ['cancel', () => cancelOperation(parts, scope, operationId)],
        ['submit', () => submitSigned(parts, { scope, operationId, signedTransaction })],
        ['ask for bytes', () => issueUnsignedTransactions(parts, scope, operationId)],
      ] as const)
      const answer = await run.request<unknown>(`${name} of the agents’ operation ${operationId}`, work)
      if (answer !== undefined) throw new Violation(`a client could ${name} the agents’ operation ${operationId}`)
    },
  },
]
