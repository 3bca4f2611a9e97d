import { expect, test } from 'vitest'
import { sqlStateOf } from './sql-state.ts'

test('only an error has a state, and only as text', () => {
  expect(sqlStateOf(Object.assign(new Error('x'), { code: '57014' }))).toBe('57014')
  for (const other of [new Error('x'), Object.assign(new Error('x'), { code: 57_014 }), { code: '57014' }, undefined])
    expect(sqlStateOf(other)).toBe('')
})
