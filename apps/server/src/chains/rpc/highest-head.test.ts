import { expect, test } from 'vitest'
import { HEAD_EXPIRES_AFTER_MS, ManualClock } from '../../kernel/index.ts'
import { createHighestHead } from './highest-head.ts'

const at = (number: number, hash = `0x${number}`) => ({ number, hash, parentHash: '0x', time: new Date(0) })

test('a lower head is ignored, and one of the same height counts', () => {
  const heads = createHighestHead(new ManualClock())
  expect(heads.last()).toBeUndefined()
  expect(heads.report(at(7))).toEqual(at(7))
  expect(heads.report(at(6))).toEqual(at(7))
  expect(heads.report(at(7, '0xother'))).toEqual(at(7, '0xother'))
  expect(heads.report(at(8))).toEqual(at(8))
  expect(heads.atLeast(8)).toEqual(at(8))
  expect(heads.atLeast(7)).toEqual(at(8))
  expect(heads.atLeast(9)).toBeUndefined()
  expect(heads.last()).toEqual(at(8))
})

test('a false head stops nothing for longer than five minutes', () => {
  const clock = new ManualClock()
  const heads = createHighestHead(clock)
  heads.report(at(Number.MAX_SAFE_INTEGER))
  clock.advance(HEAD_EXPIRES_AFTER_MS - 1)
  expect(heads.report(at(7)).number).toBe(Number.MAX_SAFE_INTEGER)
  expect(heads.atLeast(7)?.number).toBe(Number.MAX_SAFE_INTEGER)
  clock.advance(1)
  expect(heads.atLeast(7)).toBeUndefined()
  expect(heads.report(at(7))).toEqual(at(7))
  expect(heads.report(at(6))).toEqual(at(7))
})

test('a head that nodes still report is not forgotten', () => {
  const clock = new ManualClock()
  const heads = createHighestHead(clock)
  heads.report(at(7))
  for (let minute = 0; minute < 10; minute += 1) {
    clock.advance(60_000)
    expect(heads.atLeast(7)).toEqual(at(7))
  }
  expect(heads.report(at(6))).toEqual(at(7))
})
