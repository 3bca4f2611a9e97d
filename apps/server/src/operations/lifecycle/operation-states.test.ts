import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  INITIAL_STATE,
  isUnfinished,
  type OperationEvent,
  TERMINAL,
  TRANSITIONS,
  type Transition,
  transitionFor,
  UNFINISHED,
} from './operation-states.ts'

const from = (state: string) => TRANSITIONS.filter((transition) => transition.from === state)
const EVENTS = [...new Set(TRANSITIONS.map(({ event }) => event))]

/** A walk from the beginning: at each state one of the ways out, until there is none or the choices end. */
function walk(choices: readonly number[]): Transition[] {
  const walked: Transition[] = []
  let state = INITIAL_STATE
  for (const choice of choices) {
    const ways = from(state)
    if (ways.length === 0) break
    const next = ways[choice % ways.length]!
    walked.push(next)
    state = next.to
  }
  return walked
}

const walks = fc.array(fc.nat({ max: 1_000 }), { minLength: 1, maxLength: 12 }).map(walk)

test('every state is either unfinished or terminal', () => {
  const states = new Set(TRANSITIONS.flatMap(({ from, to }) => [from, to]))
  expect([...UNFINISHED, ...TERMINAL].sort()).toEqual([...states].sort())
  for (const state of states) expect(isUnfinished(state)).toBe(UNFINISHED.includes(state))
})

test('an event means at most one thing in a state', () => {
  const keys = TRANSITIONS.map(({ from, event }) => `${from} ${event}`)
  expect(new Set(keys).size).toBe(keys.length)
  for (const transition of TRANSITIONS) expect(transitionFor(transition.from, transition.event)).toBe(transition)
})

test('an event that the table does not name in a state means nothing there', () => {
  const named = new Set(TRANSITIONS.map(({ from, event }) => `${from} ${event}`))
  for (const state of [...UNFINISHED, ...TERMINAL]) {
    for (const event of EVENTS) {
      if (!named.has(`${state} ${event}`)) expect(transitionFor(state, event)).toBeUndefined()
    }
  }
})

test('every unfinished state is reached from the beginning, and from it success and failure can both be reached', () => {
  const reach = (start: string): Set<string> => {
    const seen = new Set([start])
    for (const state of seen) for (const { to } of from(state)) seen.add(to)
    return seen
  }
  for (const state of UNFINISHED) {
    expect(reach(INITIAL_STATE)).toContain(state)
    expect(reach(state)).toContain('COMPLETED')
    expect(from(state).some(({ to }) => !isUnfinished(to))).toBe(true)
  }
})

test('the only way out of a terminal state is a late landing, and it completes the operation', () => {
  for (const transition of TERMINAL.flatMap(from)) {
    expect(transition).toMatchObject({ event: 'landed_late', to: 'COMPLETED' })
  }
  expect(TERMINAL.filter((state) => from(state).length > 0)).toEqual(['FAILED', 'ABORTED'])
})

test('a reservation is kept while the operation goes on, and every way to an end releases or settles it', () => {
  for (const { from, to, reservation } of TRANSITIONS) {
    if (isUnfinished(to)) expect(reservation).toBe('keep')
    else if (isUnfinished(from)) expect(reservation).toBe(to === 'COMPLETED' ? 'settle' : 'release')
  }
})

test('on every walk to an end the reservation is let go exactly once before a late landing', () => {
  fc.assert(
    fc.property(walks, (walked) => {
      const living = walked.filter(({ event }) => event !== 'landed_late')
      const lettingGo = living.filter(({ reservation }) => reservation !== 'keep')
      const ended = living.length > 0 && !isUnfinished(living.at(-1)!.to)
      expect(lettingGo.length).toBe(ended ? 1 : 0)
    }),
    { numRuns: 500 },
  )
})

test('every end is told, and every end but success says why', () => {
  for (const { to, emits, failureReason } of TRANSITIONS) {
    if (isUnfinished(to)) expect(failureReason).toBeUndefined()
    else expect(emits?.join()).toMatch(/^operation\.(completed|failed|rejected)$/)
    expect(failureReason !== undefined).toBe(!isUnfinished(to) && to !== 'COMPLETED')
  }
})

test('nobody can change the table', () => {
  expect(Object.isFrozen(TRANSITIONS)).toBe(true)
  for (const transition of TRANSITIONS) expect(Object.isFrozen(transition)).toBe(true)
  const events: readonly OperationEvent[] = EVENTS
  expect(events.length).toBeGreaterThan(0)
})
