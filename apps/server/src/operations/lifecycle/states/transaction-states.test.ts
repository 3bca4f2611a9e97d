import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  INITIAL_TRANSACTION_STATES,
  TERMINAL_TRANSACTION_STATES,
  TRANSACTION_STATES,
  TRANSACTIONS,
  type TransactionState,
  type TransactionStateColumns,
  type TransactionTransition,
  transactionStateOf,
} from './transaction-states.ts'

const STATES = Object.keys(TRANSACTION_STATES) as TransactionState[]
const from = (state: TransactionState) => TRANSACTIONS.transitions.filter((transition) => transition.from === state)

/** A walk from an initial state: takes one of each state's transitions until there is none or the choices run out. */
function walk([first, ...choices]: readonly number[]): TransactionTransition[] {
  let state = INITIAL_TRANSACTION_STATES[(first ?? 0) % INITIAL_TRANSACTION_STATES.length]!
  const walked: TransactionTransition[] = []
  for (const choice of choices) {
    const possible = from(state)
    if (possible.length === 0) break
    walked.push(possible[choice % possible.length]!)
    state = walked.at(-1)!.to
  }
  return walked
}

const walks = fc.array(fc.nat({ max: 1_000 }), { minLength: 2, maxLength: 20 }).map(walk)

test('the table contains every state, and every state is reachable from an initial one', () => {
  expect([...TRANSACTIONS.states].sort()).toEqual([...STATES].sort())
  const reached = new Set(INITIAL_TRANSACTION_STATES)
  for (const state of reached) for (const { to } of from(state)) reached.add(to)
  expect([...reached].sort()).toEqual([...STATES].sort())
})

test('a terminal state has no transition, and every other state has one', () => {
  for (const state of STATES) {
    expect(from(state).length > 0, state).toBe(!TERMINAL_TRANSACTION_STATES.includes(state))
  }
})

test('bytes in a terminal state are dead, and every state whose bytes can land has a transition for landing', () => {
  for (const state of TERMINAL_TRANSACTION_STATES) expect(TRANSACTION_STATES[state].canStillLand).toBe(false)
  for (const state of STATES.filter((each) => TRANSACTION_STATES[each].canStillLand)) {
    expect(TRANSACTIONS.find(state, 'confirmed')?.to, state).toBe('confirmed')
    expect(TRANSACTIONS.find(state, 'reverted')?.to, state).toBe('reverted')
  }
})

test('dead bytes are never included, confirmed or reverted', () => {
  for (const state of STATES.filter((each) => !TRANSACTION_STATES[each].canStillLand)) {
    for (const event of ['included', 'confirmed', 'reverted'] as const) {
      expect(TRANSACTIONS.find(state, event), `${state} ${event}`).toBeUndefined()
    }
  }
})

test('after its bytes died, a transaction can land only with new ones or a replacement, or if a block includes them', () => {
  for (const transition of TRANSACTIONS.transitions) {
    const canLandAgain =
      !TRANSACTION_STATES[transition.from].canStillLand && TRANSACTION_STATES[transition.to].canStillLand
    if (canLandAgain) expect(['issued', 'submitted', 'found_landed']).toContain(transition.event)
  }
})

test('a failed transaction leaves its status only by a late landing', () => {
  fc.assert(
    fc.property(walks, (walked) => {
      for (const { from, event, to } of walked) {
        if (TRANSACTION_STATES[from].status !== 'failed') continue
        if (TRANSACTION_STATES[to].status !== 'failed') expect({ event, to }).toEqual({ event: 'confirmed', to })
      }
    }),
    { numRuns: 500 },
  )
})

test('no transition follows finality on any walk', () => {
  fc.assert(
    fc.property(walks, (walked) => {
      const final = walked.findIndex(({ to }) => to === 'confirmed' || to === 'reverted')
      expect(final === -1 || final === walked.length - 1).toBe(true)
    }),
    { numRuns: 500 },
  )
})

test('agent work moves whenever a transaction changes its status, or enters or leaves a block', () => {
  const expected = ({ from, event, to }: TransactionTransition) => {
    const [before, after] = [TRANSACTION_STATES[from].status, TRANSACTION_STATES[to].status]
    // The work of a failed transaction has ended with it.
    if (before === 'failed') return undefined
    if (after === 'failed') return 'failed'
    if (event === 'rolled_back') return 'rolled_back'
    // A replacement was submitted, which ends its lease.
    if (event === 'submitted' && from === 'submitted') return 'submitted'
    if (before === after && (to !== 'included' || from === 'included')) return undefined
    if (after === 'unsigned') return 'refused'
    return to === 'submitted' ? 'submitted' : 'landed'
  }
  for (const transition of TRANSACTIONS.transitions) {
    expect(transition.work, `${transition.from} ${transition.event}`).toBe(expected(transition))
  }
})

const rows = fc.record<TransactionStateColumns>({
  state: fc.constantFrom('unsigned', 'pending', 'confirmed', 'failed'),
  can_still_land: fc.boolean(),
  unsigned_bytes: fc.constantFrom(null, '', '0x02'),
  block_number: fc.constantFrom(null, 7),
  finalized_at: fc.constantFrom(null, new Date(0)),
})

test('every row has a state that agrees with its stored status', () => {
  fc.assert(
    fc.property(rows, (row) => {
      const state = TRANSACTION_STATES[transactionStateOf(row)]
      expect(state.status).toBe(row.state)
      if (row.state !== 'confirmed') expect(state.canStillLand).toBe(row.can_still_land)
    }),
    { numRuns: 500 },
  )
})
