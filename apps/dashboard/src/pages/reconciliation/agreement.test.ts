import fc from 'fast-check'
import { expect, test } from 'vitest'
import { agreementOf } from './agreement.ts'

test('ledger and chain agree where nothing differs, not even what was accepted, and every wallet is compared', () => {
  expect(agreementOf({ open: 0, accepted: 0, quarantined: 0 })).toMatchObject({ agrees: true })
  expect(agreementOf({ open: 1, accepted: 0, quarantined: 0 })).toBeUndefined()
})

test('an accepted difference remains one, and a quarantined wallet is not compared', () => {
  expect(agreementOf({ open: 0, accepted: 1, quarantined: 0 })).toMatchObject({
    agrees: false,
    title: '1 accepted difference remains',
    isCompared: true,
  })
  expect(agreementOf({ open: 2, accepted: 3, quarantined: 1 })).toMatchObject({
    agrees: false,
    title: '3 accepted differences remain, 1 wallet is not compared at the moment',
    isCompared: false,
  })
  expect(agreementOf({ open: 0, accepted: 0, quarantined: 2 })?.title).toBe('2 wallets are not compared at the moment')
  expect(agreementOf({ open: 0, accepted: 0, quarantined: 100 })?.title).toBe(
    '100 wallets or more are not compared at the moment',
  )
})

test('Property: only three known zeros agree, and what is known to differ is always said', () => {
  const count = fc.option(fc.nat({ max: 150 }), { nil: undefined })
  fc.assert(
    fc.property(fc.record({ open: count, accepted: count, quarantined: count }), (counts) => {
      const said = agreementOf(counts)
      expect(said?.agrees === true).toBe(Object.values(counts).every((each) => each === 0))
      if (counts.accepted || counts.quarantined) expect(said?.agrees).toBe(false)
    }),
  )
})
