import { expect, test } from 'vitest'
import { begun, CONDITION_NAMES, dayName, isComplete, isTime, whenText } from './conditions.ts'

test('a condition that somebody adds is complete, or asks for its first entry', () => {
  const complete = CONDITION_NAMES.filter((name) => isComplete(name, begun(name)))
  expect(complete).toEqual(['amountAtLeast', 'types', 'outsideHours'])
  expect(isComplete('walletIds', { walletIds: [7] })).toBe(true)
  expect(isComplete('counterparties', { counterparties: ['aave-v3'] })).toBe(true)
})

test('only amounts that the service takes are complete', () => {
  for (const amountAtLeast of ['', 'much', '1,000', '-1', '1e3', '0.1234567890123456789'])
    expect(isComplete('amountAtLeast', { amountAtLeast }), amountAtLeast).toBe(false)
  for (const amountAtLeast of ['0', '10000', '0.000000000000000001'])
    expect(isComplete('amountAtLeast', { amountAtLeast }), amountAtLeast).toBe(true)
})

test('hours are complete with two times, a zone and a day', () => {
  const hours = { timezone: 'UTC', from: '08:00', to: '24:00', days: ['mon'] }
  const holds = (change: object) => isComplete('outsideHours', { outsideHours: { ...hours, ...change } })
  expect(holds({})).toBe(true)
  for (const change of [{ from: '24:00' }, { from: '8:00' }, { to: '25:00' }, { days: [] }, { timezone: '' }])
    expect(holds(change), JSON.stringify(change)).toBe(false)
  expect(['23:59', '24:00', '24:01', 'noon'].map(isTime)).toEqual([true, true, false, false])
})

test('days are shown alike, however they were written', () => {
  expect([1, 7, 0, 'Wednesday', 'fri', 'someday'].map(dayName)).toEqual(['mon', 'sun', 'sun', 'wed', 'fri', undefined])
})

test('an amount is written as amounts are on all pages; one that is half typed stays', () => {
  expect(whenText({ amountAtLeast: '1234567.5' })).toBe('from 1,234,567.50')
  expect(whenText({ amountAtLeast: 'much' })).toBe('from much')
})

test('conditions are one line, in one order', () => {
  expect(whenText({})).toBe('any operation')
  expect(
    whenText({
      counterparties: ['Aave V3', '0xabc'],
      walletIds: [3, 4],
      types: ['SUPPLY'],
      custodyProviders: ['self'],
    }),
  ).toBe('deposits, wallets 3, 4, held by self, at Aave V3 or 0xabc')
})
