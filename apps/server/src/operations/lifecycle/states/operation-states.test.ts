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

/** A walk from the initial state: takes one of each state's transitions until there is none or the choices run out. */
function walk(choices: readonly number[]): Transition[] {
  const walked: Transition[] = []
  let state = INITIAL_STATE
  for (const choice of choices) {
    const possible = from(state)
    if (possible.length === 0) break
    const next = possible[choice % possible.length]!
    walked.push(next)
    state = next.to
  }
  return walked
}

const walks = fc.array(fc.nat({ max: 1_000 }), { minLength: 1, maxLength: 12 }).map(walk)

test('every state is either unfinished or terminal', () => {
  const states = new Set(TRANSITIONS.flatMap(({ from, to }) => [from, to]))
  expect([...UNFINISHED, ...TERMINAL].sort()).toEqual([...states].sort())
  for (const state of states) expect(isUnfinished(state)).toBe(!TERMINAL.some((terminal) => terminal === state))
})

test('a state has at most one transition for an event', () => {
  const keys = TRANSITIONS.map(({ from, event }) => `${from} ${event}`)
  expect(new Set(keys).size).toBe(keys.length)
  for (const transition of TRANSITIONS) expect(transitionFor(transition.from, transition.event)).toBe(transition)
})

test('an event that the table does not list for a state has no transition from it', () => {
  const listed = new Set(TRANSITIONS.map(({ from, event }) => `${from} ${event}`))
  for (const state of [...UNFINISHED, ...TERMINAL]) {
    for (const event of EVENTS) {
      if (!listed.has(`${state} ${event}`)) expect(transitionFor(state, event)).toBeUndefined()
    }
  }
})

test('every unfinished state is reachable, and both success and failure are reachable from it', () => {
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

test('the only transition from a terminal state is a late landing, which completes the operation', () => {
  for (const transition of TERMINAL.flatMap(from)) {
    expect(transition).toMatchObject({ event: 'landed_late', to: 'COMPLETED' })
  }
  expect(TERMINAL.filter((state) => from(state).length > 0)).toEqual(['FAILED', 'ABORTED'])
})

test('an unfinished operation keeps its reservation, and every end releases or settles it', () => {
  for (const { from, to, reservation } of TRANSITIONS) {
    if (isUnfinished(to)) expect(reservation).toBe('keep')
    else if (isUnfinished(from)) expect(reservation).toBe(to === 'COMPLETED' ? 'settle' : 'release')
  }
})

test('on every walk to an end the reservation is released or settled exactly once before a late landing', () => {
  fc.assert(
    fc.property(walks, (walked) => {
      const inTime = walked.filter(({ event }) => event !== 'landed_late')
      const releases = inTime.filter(({ reservation }) => reservation !== 'keep')
      const ended = inTime.length > 0 && !isUnfinished(inTime.at(-1)!.to)
      expect(releases.length).toBe(ended ? 1 : 0)
    }),
    { numRuns: 500 },
  )
})

test('every end emits an event, and every end except success has a failure reason', () => {
  for (const { to, emits, failureReason } of TRANSITIONS) {
    if (isUnfinished(to)) expect(failureReason).toBeUndefined()
    else expect(emits?.join()).toMatch(/^operation\.(completed|failed|rejected)$/)
    expect(failureReason !== undefined).toBe(!isUnfinished(to) && to !== 'COMPLETED')
  }
})

test('the table is immutable', () => {
  expect(Object.isFrozen(TRANSITIONS)).toBe(true)
  for (const transition of TRANSITIONS) expect(Object.isFrozen(transition)).toBe(true)
  const events: readonly OperationEvent[] = EVENTS
  expect(events.length).toBeGreaterThan(0)
})
