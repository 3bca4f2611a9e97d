import { expect, test } from 'vitest'
import { systemRandomSource } from './ids.ts'
import { UNREADABLE_VALUES_REMEMBERED_MAX } from './limits.ts'
import { createSealer, MissingKeyError } from './seal.ts'
import { openIfReadable, recordUnreadable, reportingSealer } from './unreadable-values.ts'

function recorder() {
  const lines: unknown[] = []
  return { lines, unreadable: recordUnreadable({ error: (line: unknown) => lines.push(line) } as never) }
}

test('a value that does not open is logged with its row and counted, once, however often it is read', () => {
  const { lines, unreadable } = recorder()
  const sealer = reportingSealer(createSealer('5e'.repeat(32), 'tests', systemRandomSource), unreadable)
  const sealed = sealer.seal('Ada', 'name 7/12')
  expect(openIfReadable(sealer, sealed, 'name 7/12')).toBe('Ada')
  expect(openIfReadable(sealer, sealed, 'name 7/13')).toBeUndefined()
  expect(() => sealer.open(sealed, 'name 7/13')).toThrow()
  expect(lines).toEqual([{ err: expect.any(Error), value: 'name 7/13', reason: 'damaged' }])
  expect(Object.fromEntries(unreadable.found)).toEqual({ damaged: 1, no_key: 0 })
})

test('a missing key is not damage', () => {
  const { lines, unreadable } = recorder()
  unreadable.report('name 7/12', new MissingKeyError('2026b'))
  expect(lines).toMatchObject([{ value: 'name 7/12', reason: 'no_key' }])
  expect(unreadable.found.get('no_key')).toBe(1)
})

test('the oldest values are forgotten when there are more than are remembered', () => {
  const { lines, unreadable } = recorder()
  for (let place = 0; place <= UNREADABLE_VALUES_REMEMBERED_MAX; place += 1) unreadable.report(`name ${place}`, 0)
  unreadable.report(`name ${UNREADABLE_VALUES_REMEMBERED_MAX}`, 0)
  expect(lines).toHaveLength(UNREADABLE_VALUES_REMEMBERED_MAX + 1)
  unreadable.report('name 0', 0)
  expect(lines).toHaveLength(UNREADABLE_VALUES_REMEMBERED_MAX + 2)
})
