import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { AgentStage } from '../../../database/index.ts'
import { AGENT_WORK, type AgentWorkEvent, EVENT_OF_SUCCESSOR, firstAgentStage } from './agent-work-states.ts'
import { TRANSACTIONS } from './transaction-states.ts'

const STAGES: readonly AgentStage[] = ['waiting', 'ready', 'leased', 'paused', 'withheld', 'sent', 'done']
const OUT_OF_QUEUE: readonly AgentStage[] = ['withheld', 'sent', 'done']

test('the table contains every stage, and every stage is reachable from an initial one', () => {
  expect([...AGENT_WORK.states].sort()).toEqual([...STAGES].sort())
  const reached = new Set([firstAgentStage(0), firstAgentStage(1)])
  for (const stage of reached) {
    for (const { from, to } of AGENT_WORK.transitions) if (from === stage) reached.add(to)
  }
  expect([...reached].sort()).toEqual([...STAGES].sort())
})

test('an event leads to the same stage from every stage', () => {
  for (const event of AGENT_WORK.events) {
    const targets = AGENT_WORK.transitions.filter((transition) => transition.event === event).map(({ to }) => to)
    expect(new Set(targets).size, event).toBe(1)
  }
})

test('only work that is ready, leased or paused can be claimed', () => {
  expect(AGENT_WORK.statesBefore('claimed')).toEqual(['ready', 'leased', 'paused'])
})

test('the end of an operation ends its work in every stage, and only a rollback reopens it', () => {
  for (const stage of STAGES.filter((each) => each !== 'done')) {
    for (const event of ['operation_ended', 'landed', 'failed'] as const) {
      expect(AGENT_WORK.find(stage, event)?.to, `${stage} ${event}`).toBe('done')
    }
  }
  expect(AGENT_WORK.transitions.filter(({ from }) => from === 'done')).toEqual([
    { from: 'done', event: 'rolled_back', to: 'sent' },
  ])
})

test('work that is withheld, sent or done never becomes claimable through an event of the queue', () => {
  // No node accepted it, or no block includes it.
  const chainEvents: readonly AgentWorkEvent[] = ['refused', 'stuck']
  for (const { from, event, to } of AGENT_WORK.transitions) {
    if (OUT_OF_QUEUE.includes(from) && !chainEvents.includes(event)) expect(OUT_OF_QUEUE, event).toContain(to)
  }
})

test('every event that a transaction sends to its work, or to its successor’s, is in the table', () => {
  const events = new Set(TRANSACTIONS.transitions.flatMap(({ work }) => (work ? [work] : [])))
  for (const event of events) expect(AGENT_WORK.events).toContain(event)
  for (const event of Object.values(EVENT_OF_SUCCESSOR)) expect(AGENT_WORK.events).toContain(event)
})

test('in every sequence of events, work is not ready until the preceding transaction is in a block', () => {
  const choices = fc.array(fc.tuple(fc.nat({ max: 1 }), fc.constantFrom(...AGENT_WORK.events)), { maxLength: 40 })
  fc.assert(
    fc.property(choices, (events) => {
      const stages = [firstAgentStage(0), firstAgentStage(1)]
      for (const [position, event] of events) {
        if (event === 'predecessor_landed' || event === 'predecessor_left_block') continue
        // Once the second transaction is claimed, events of the first one do not undo the claim.
        if (position === 1 && stages[1] === 'waiting') continue
        const moved = AGENT_WORK.find(stages[position]!, event)
        if (!moved) continue
        stages[position] = moved.to
        const successor = position === 0 ? EVENT_OF_SUCCESSOR[event] : undefined
        if (successor) stages[1] = AGENT_WORK.find(stages[1]!, successor)?.to ?? stages[1]!
        if (position === 0 && stages[0] !== 'done') expect(stages[1]).not.toBe('ready')
      }
    }),
    { numRuns: 1_000 },
  )
})

test('work whose bytes were issued never becomes waiting or ready again: those stages know no lease', () => {
  const before: readonly AgentStage[] = ['waiting', 'ready']
  for (const { from, event, to } of AGENT_WORK.transitions) {
    // A claim whose bytes were not issued; `released_issued` leads elsewhere.
    if (event === 'released_unissued') continue
    if (!before.includes(from)) expect(before, `${from} ${event}`).not.toContain(to)
  }
  expect(AGENT_WORK.find('leased', 'released_issued')?.to).toBe('paused')
})
