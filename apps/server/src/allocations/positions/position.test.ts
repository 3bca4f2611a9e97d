import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  accrue,
  applyExternalMovement,
  attributeDeposit,
  attributeWithdrawal,
  deposit,
  EMPTY_POSITION,
  isBeyondRounding,
  lossIn,
  type Position,
  type ShareValuation,
  withdraw,
} from './position.ts'

const RAY = 10n ** 27n
/** The two ways in which protocols round: half up, like Aave, and down, like vaults. */
const VENUES: Readonly<Record<string, ShareValuation>> = {
  'half up': (shares, price) => (shares * price + RAY / 2n) / RAY,
  down: (shares, price) => (shares * price) / RAY,
}

type Move =
  | { readonly kind: 'deposit' | 'accrue'; readonly amount: bigint; readonly growth: bigint }
  | { readonly kind: 'withdraw' | 'outside'; readonly percent: bigint; readonly growth: bigint }

/** A price grows by up to 20% between two readings. */
const growth = fc.bigInt({ min: 0n, max: RAY / 5n })
const moves = fc.array(
  fc.oneof(
    fc.record({
      kind: fc.constantFrom('deposit' as const, 'accrue' as const),
      amount: fc.bigInt({ min: 1n, max: 10n ** 15n }),
      growth,
    }),
    fc.record({
      kind: fc.constantFrom('withdraw' as const, 'outside' as const),
      percent: fc.bigInt({ min: 0n, max: 250n }),
      growth,
    }),
  ),
  { maxLength: 25 },
)

interface Model {
  readonly position: Position
  readonly price: bigint
  /** What the ledger would hold: the sum of everything that was posted. */
  readonly posted: bigint
  readonly yields: bigint
  readonly putIn: bigint
  readonly takenOut: bigint
  readonly outside: bigint
}

const START: Model = {
  position: EMPTY_POSITION,
  price: RAY,
  posted: 0n,
  yields: 0n,
  putIn: 0n,
  takenOut: 0n,
  outside: 0n,
}

/** Moves a model of the chain together with the position, and posts the position's result. */
function applyMove(model: Model, move: Move, worth: ShareValuation): Model {
  const price = model.price + (model.price * move.growth) / RAY
  const sharesBefore = model.position.shares
  const next = { ...model, price }
  switch (move.kind) {
    case 'accrue': {
      const moved = accrue(model.position, price, worth)
      return {
        ...next,
        position: moved.position,
        posted: model.posted + moved.yield,
        yields: model.yields + moved.yield,
      }
    }
    case 'deposit': {
      const shares = (move.amount * RAY) / price
      const moved = deposit(model.position, { assets: move.amount, shares, price }, worth)
      return {
        ...next,
        position: moved.position,
        posted: model.posted + moved.yield - moved.fee + move.amount,
        yields: model.yields + moved.yield - moved.fee,
        putIn: model.putIn + move.amount,
      }
    }
    case 'withdraw': {
      const shares = sharesBefore === 0n ? move.percent : (sharesBefore * move.percent) / 100n
      const assets = worth(shares, price)
      const moved = withdraw(model.position, { assets, shares, price }, worth)
      return {
        ...next,
        position: moved.position,
        posted: model.posted + moved.yield - moved.fee + moved.external - assets,
        yields: model.yields + moved.yield - moved.fee,
        takenOut: model.takenOut + assets,
        outside: model.outside + moved.external,
      }
    }
    case 'outside': {
      const shares = sharesBefore === 0n ? move.percent : (sharesBefore * move.percent) / 100n
      const moved = applyExternalMovement(model.position, shares, price, worth)
      return {
        ...next,
        position: moved.position,
        posted: model.posted + moved.yield + moved.external,
        yields: model.yields + moved.yield,
        outside: model.outside + moved.external,
      }
    }
  }
}

/** The price moves, and nobody posts it. */
const withoutPosting = (model: Model, growthOfPrice: bigint): Model => {
  return { ...model, price: model.price + (model.price * growthOfPrice) / RAY }
}

for (const [rounding, worth] of Object.entries(VENUES)) {
  const everyStep = (check: (after: Model, before: Model, move: Move) => void) =>
    fc.assert(
      fc.property(moves, (sequence) => {
        let model = START
        for (const move of sequence) {
          const after = applyMove(model, move, worth)
          check(after, model, move)
          model = after
        }
      }),
    )

  test(`after any sequence of moves the value is the shares at the price, and so is the ledger (rounding ${rounding})`, () => {
    everyStep(({ position, posted, price }) => {
      expect(position.value).toBe(worth(position.shares, price))
      expect(position.price).toBe(price)
      expect(posted).toBe(position.value)
    })
  })

  test(`movements and yield explain the value to the unit (rounding ${rounding})`, () => {
    everyStep(({ position, yields, putIn, takenOut, outside }) => {
      expect(position.value).toBe(putIn - takenOut + outside + yields)
    })
  })

  test(`principal is never negative and leaves in proportion to the shares (rounding ${rounding})`, () => {
    everyStep(({ position }, { position: before }, move) => {
      expect(position.principal).toBeGreaterThanOrEqual(0n)
      if (position.shares < before.shares) {
        expect(position.principal).toBe((before.principal * position.shares) / before.shares)
      }
      if (move.kind === 'accrue') expect(position.principal).toBe(before.principal)
    })
  })

  test(`realized and unrealized yield add up to all the yield ever posted (rounding ${rounding})`, () => {
    fc.assert(
      fc.property(moves, (sequence) => {
        const { position, yields } = sequence.reduce((model, move) => applyMove(model, move, worth), START)
        expect(position.realizedYield + position.value - position.principal).toBe(yields)
      }),
    )
  })

  test(`however rarely yield is posted between movements, the totals are the same to the unit (rounding ${rounding})`, () => {
    const now = { kind: 'accrue' as const, amount: 1n, growth: 0n }
    fc.assert(
      fc.property(moves, fc.infiniteStream(fc.boolean()), (sequence, isSkipped) => {
        const often = sequence.reduce((model, move) => applyMove(model, move, worth), START)
        // The same prices, some of them without a posting.
        const seldom = sequence.reduce(
          (model, move) =>
            move.kind === 'accrue' && isSkipped.next().value === true
              ? withoutPosting(model, move.growth)
              : applyMove(model, move, worth),
          START,
        )
        expect(applyMove(seldom, now, worth)).toEqual(applyMove(often, now, worth))
      }),
    )
  })

  test(`a full withdrawal leaves nothing, whatever happened before (rounding ${rounding})`, () => {
    fc.assert(
      fc.property(moves, growth, (sequence, last) => {
        const model = sequence.reduce((state, move) => applyMove(state, move, worth), START)
        const after = applyMove(model, { kind: 'withdraw', percent: 100n, growth: last }, worth)
        expect(after.position).toMatchObject({ shares: 0n, principal: 0n, value: 0n })
        expect(after.posted).toBe(0n)
      }),
    )
  })

  test(`external share movements change principal and never count as yield (rounding ${rounding})`, () => {
    fc.assert(
      fc.property(moves, fc.bigInt({ min: 0n, max: 10n ** 20n }), (sequence, shares) => {
        const model = sequence.reduce((state, move) => applyMove(state, move, worth), START)
        const moved = applyExternalMovement(model.position, shares, model.price, worth)
        expect(moved.yield).toBe(0n)
        expect(moved.position.value).toBe(model.position.value + moved.external)
        const earned = ({ realizedYield, value, principal }: Position) => realizedYield + value - principal
        expect(earned(moved.position)).toBe(earned(model.position))
      }),
    )
  })

  const noticed = { sequence: moves, part: fc.bigInt({ min: 1n, max: 100n }), first: growth, second: growth }
  const later = (price: bigint, grown: bigint) => price + (price * grown) / (100n * RAY)

  test(`a deposit that was noticed first ends as if it had been found at once (rounding ${rounding})`, () => {
    fc.assert(
      fc.property(fc.record(noticed), ({ sequence, part, first, second }) => {
        const { position, price } = sequence.reduce((state, move) => applyMove(state, move, worth), START)
        const [noticedAt, foundAt] = [later(price, first), later(later(price, first), second)]
        const shares = part * 10n ** 9n
        const moved = { assets: worth(shares, price), shares }
        const known = deposit(position, { ...moved, price }, worth)
        const expected = accrue(known.position, foundAt, worth)
        const external = applyExternalMovement(position, position.shares + shares, noticedAt, worth)
        const waiting = accrue(external.position, foundAt, worth)
        const found = attributeDeposit(waiting.position, { ...moved, externalValue: external.external })
        expect(found.position).toEqual(expected.position)
        expect(external.yield + waiting.yield + found.yield).toBe(known.yield - known.fee + expected.yield)
      }),
    )
  })

  test(`a withdrawal that was noticed first ends as if it had been found at once (rounding ${rounding})`, () => {
    fc.assert(
      fc.property(fc.record(noticed), ({ sequence, part, first, second }) => {
        const { position, price } = sequence.reduce((state, move) => applyMove(state, move, worth), START)
        const shares = (position.shares * part) / 100n
        fc.pre(shares > 0n)
        const [noticedAt, foundAt] = [later(price, first), later(later(price, first), second)]
        const moved = { assets: worth(shares, price), shares }
        const known = withdraw(position, { ...moved, price }, worth)
        const expected = accrue(known.position, foundAt, worth)
        const external = applyExternalMovement(position, position.shares - shares, noticedAt, worth)
        const waiting = accrue(external.position, foundAt, worth)
        const found = attributeWithdrawal(waiting.position, { ...moved, externalValue: -external.external })
        expect(found.position).toEqual(expected.position)
        expect(external.yield + waiting.yield + found.yield).toBe(known.yield - known.fee + expected.yield)
        expect(external.external + found.external).toBe(0n)
      }),
    )
  })
}

test('a deposit that was noticed, and whose shares have left since, is realized', () => {
  const worth = VENUES.down!
  const price = RAY + RAY / 10n
  const held = applyExternalMovement(EMPTY_POSITION, 1_000n, price, worth)
  const left = applyExternalMovement(held.position, 250n, price, worth)
  const found = attributeDeposit(left.position, { assets: 1_000n, shares: 1_000n, externalValue: 1_100n })
  expect(found).toMatchObject({ yield: 100n, position: { shares: 250n, principal: 250n, realizedYield: 75n } })
  const { position } = attributeDeposit(EMPTY_POSITION, { assets: 1_000n, shares: 1_000n, externalValue: 1_100n })
  expect(position).toMatchObject({ shares: 0n, principal: 0n, realizedYield: 100n })
})

test('unseen shares that leave at once with a withdrawal bring no yield, and neither do the others', () => {
  const worth = VENUES['half up']!
  const withdrawn = { assets: 990n, shares: 990n, price: RAY }
  expect(withdraw(EMPTY_POSITION, withdrawn, worth)).toMatchObject({ yield: 0n, external: 990n })
  const { position } = deposit(EMPTY_POSITION, { assets: 90n, shares: 90n, price: RAY }, worth)
  const moved = withdraw(position, { ...withdrawn, price: RAY + RAY / 10n, assets: 1_089n }, worth)
  expect(moved).toMatchObject({ yield: 9n, external: 990n, position: { realizedYield: 9n, principal: 0n } })
})

test('a falling price is negative yield and does not reduce the principal', () => {
  const worth = VENUES['half up']!
  const { position } = deposit(EMPTY_POSITION, { assets: 1_000n, shares: 1_000n, price: RAY }, worth)
  const lost = accrue(position, RAY / 2n, worth)
  expect(lost.yield).toBe(-500n)
  expect(lost.position).toMatchObject({ value: 500n, principal: 1_000n })
})

test('what a deposit or a withdrawal costs is a fee beside the yield of the price, and principal is what was paid in', () => {
  const worth = VENUES.down!
  const { position } = deposit(EMPTY_POSITION, { assets: 100_000n, shares: 99_000n, price: RAY }, worth)
  expect(deposit(EMPTY_POSITION, { assets: 100_000n, shares: 99_000n, price: RAY }, worth)).toMatchObject({
    yield: 0n,
    fee: 1_000n,
    position: { value: 99_000n, principal: 100_000n },
  })
  const paid = withdraw(position, { assets: 98_000n, shares: 99_000n, price: (RAY * 101n) / 100n }, worth)
  expect(paid).toMatchObject({ yield: 990n, fee: 1_990n, position: { realizedYield: -2_000n } })
})

test('the protocols’ rounding is no fee and no loss: ten base units, or a millionth of the amount', () => {
  expect([10n, 11n].map((missing) => isBeyondRounding(missing, 1_000n))).toEqual([false, true])
  expect([50n, 51n].map((missing) => isBeyondRounding(missing, 50_000_000n))).toEqual([false, true])
  expect([lossIn(-11n, 1_000n), lossIn(-10n, 1_000n), lossIn(11n, 1_000n)]).toEqual([11n, 0n, 0n])
})
