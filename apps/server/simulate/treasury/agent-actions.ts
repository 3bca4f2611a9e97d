import {
  abortAbandonedOperations,
  abortOverdueOperations,
  cancelOperation,
  failWithheldOperations,
  issueUnsignedTransactions,
  submitSigned,
} from '../../src/operations/index.ts'
import type { Action } from '../clients/action.ts'
import { Violation } from '../violation.ts'
import { type TreasuryRun, treasuryOf } from './treasury-of.ts'

/** Actions of custody agents and with their bytes. */
export const AGENTS: readonly Action<TreasuryRun>[] = [
  {
    name: 'an agent works',
    weight: 30,
    async act(play, random) {
      const { agents } = treasuryOf(play)
      for (let count = random.between(1, 4); count > 0; count -= 1) {
        const busy = random.pick(agents.filter(({ work }) => work))
        await (busy && random.chance(0.7) ? busy : random.pick(agents)).advance(random)
        play.clock.advance(random.pick([0, 200, 1_500, 4_000, 31_000]))
      }
    },
  },
  {
    name: 'agents work at the same time',
    weight: 8,
    async act(play, random) {
      const idle = random.shuffled(treasuryOf(play).agents).filter(({ work }) => !work)
      const polls = idle
        .slice(0, random.between(2, 4))
        .map((agent) => [`${agent.name} polls`, agent.poll(random)] as const)
      if (polls.length > 0) await play.requests(polls)
    },
  },
  {
    name: 'an agent polls while the chain is followed',
    weight: 3,
    async act(play, random) {
      const agent = random.pick(treasuryOf(play).agents)
      if (agent.work) return
      await play.requests<void>([
        ['follow', () => play.service.round(new AbortController().signal)],
        [`${agent.name} polls`, agent.poll(random)],
      ])
    },
  },
  {
    name: 'an agent dies',
    weight: 5,
    async act(play, random) {
      const { agents } = treasuryOf(play)
      const busy = random.pick(agents.filter(({ work }) => work))
      ;(busy ?? random.pick(agents)).die(random)
    },
  },
  {
    name: 'an agent stands still',
    weight: 4,
    async act(play, random) {
      play.clock.advance(random.pick([5_000, 35_000, 65_000, 200_000]))
    },
  },
  {
    name: 'an agent tells late what it did',
    weight: 6,
    async act(play, random) {
      const agent = random.pick(treasuryOf(play).agents)
      const work = random.pick(agent.past.slice(-5))
      if (!work) return
      if (random.chance(0.6)) await agent.reportSuccess(work, random)
      else await agent.reportFailure(work, random)
    },
  },
  {
    name: 'an agent sends what it had long ago',
    weight: 4,
    async act(play, random) {
      const agent = random.pick(treasuryOf(play).agents)
      const work = random.pick(agent.past.slice(-6))
      if (!work) return
      if (!work.raw || random.chance(0.3)) agent.sign(work, random.int(1_000))
      agent.send(work, random)
      if (random.chance(0.4)) await agent.reportSuccess(work, random)
    },
  },
  {
    name: 'sweep the work of agents',
    weight: 5,
    async act(play, random) {
      if (random.chance(0.3)) play.clock.advance(random.pick([1_800_000, 86_400_000]))
      const { parts } = play.service
      await play.request('end withheld', () => failWithheldOperations(parts))
      await play.request('end abandoned', () => abortAbandonedOperations(parts))
      await play.request('abort overdue', () => abortOverdueOperations(parts))
    },
  },
  {
    name: 'a client takes hold of what is an agent’s',
    weight: 2,
    async act(play, random) {
      const version = random.pick(treasuryOf(play).issued.all().slice(-4))
      if (!version) return
      const { operationId, organizationId } = version.operation
      const scope = { organizationId, walletProfileId: null }
      const { parts } = play.service
      const signedTransaction = treasuryOf(play).signed(version)
      const [name, work] = random.pick([
        ['cancel', () => cancelOperation(parts, scope, operationId)],
        ['submit', () => submitSigned(parts, { scope, operationId, signedTransaction })],
        ['ask for bytes', () => issueUnsignedTransactions(parts, scope, operationId)],
      ] as const)
      const answer = await play.request<unknown>(`${name} of the agents’ operation ${operationId}`, work)
      if (answer !== undefined) throw new Violation(`a client could ${name} the agents’ operation ${operationId}`)
    },
  },
]
