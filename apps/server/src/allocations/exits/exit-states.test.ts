import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { exitsDocument } from '../../../../../scripts/documents/write-exits-doc.ts'
import { changeExit, type ExitAmounts, NO_EXIT } from './exit-amounts.ts'
import { EXIT, exitEventOf, OPENING_EXIT_STATE } from './exit-states.ts'

test('docs/exits.md shows the table of states', () => {
  const written = readFileSync(new URL('../../../../../docs/exits.md', import.meta.url), 'utf8')
  expect(written, 'run: node scripts/documents/write-exits-doc.ts').toBe(exitsDocument(written))
})

const amount = fc.bigInt({ min: 0n, max: 10n ** 20n })
const amounts: fc.Arbitrary<ExitAmounts> = fc.record({ pending: amount, claimable: amount })
const few = fc.oneof(fc.constant(0n), amount)
const step = fc.record({
  moves: fc.record({ requested: few, received: few, claimed: few, claimedElsewhere: few }),
  reading: fc.option(fc.oneof(amounts, fc.constant(NO_EXIT)), { nil: undefined }),
  isDifferenceExternal: fc.boolean(),
})

test('every step conserves the money, whatever the chain shows, and the ledger equals the chain after each reading', () => {
  fc.assert(
    fc.property(amounts, fc.array(step, { maxLength: 8 }), (first, steps) => {
      let before = first
      for (const change of steps) {
        const { requested } = change.moves
        const after = changeExit({ before, ...change })
        expect(after.exiting + after.available + after.external + after.yield).toBe(requested)
        expect(after.earned).toBe(-after.yield)
        expect(after.available).toBe(change.moves.claimed)
        if (change.isDifferenceExternal) expect(after.earned).toBe(0n)
        if (change.reading) expect(after.amounts).toEqual(change.reading)
        expect(after.amounts.pending >= 0n && after.amounts.claimable >= 0n).toBe(true)
        const held = (one: ExitAmounts) => one.pending + one.claimable
        expect(held(after.amounts) - held(before)).toBe(after.exiting)
        before = after.amounts
      }
    }),
  )
})

test('after any sequence of amounts the state matches them, and a claimed exit never moves', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(amounts, fc.record({ pending: amount, claimable: fc.constant(0n) }))), (seen) => {
      let state = OPENING_EXIT_STATE
      for (const one of seen) {
        if (state === 'claimed') break
        const event = exitEventOf(state, one)
        if (event === undefined) continue
        const transition = EXIT.find(state, event)
        expect(transition).toBeDefined()
        state = transition!.to
        expect(state).toBe(
          one.pending + one.claimable === 0n ? 'claimed' : one.claimable > 0n ? 'claimable' : 'pending',
        )
      }
      expect(EXIT.transitions.some(({ from }) => from === 'claimed')).toBe(false)
    }),
  )
})

test('a loss while an exit waits is a loss, and a payment to others is external', () => {
  const before = { pending: 1_000n, claimable: 200n }
  const moves = { requested: 0n, received: 0n, claimed: 200n, claimedElsewhere: 0n }
  const lost = changeExit({ before, moves, reading: { pending: 970n, claimable: 0n }, isDifferenceExternal: false })
  expect(lost).toMatchObject({ exiting: -230n, available: 200n, yield: 30n, external: 0n, earned: -30n })
  const gone = changeExit({ before, moves, reading: { pending: 0n, claimable: 0n }, isDifferenceExternal: true })
  expect(gone).toMatchObject({ exiting: -1_200n, available: 200n, yield: 0n, external: 1_000n, earned: 0n })
})
