import Type from 'typebox'
import { expect, test } from 'vitest'
import { coerce } from './coerce.ts'

const { properties } = Type.Object({
  flag: Type.Boolean(),
  count: Type.Integer(),
  rate: Type.Number(),
  name: Type.String(),
  many: Type.Array(Type.Integer()),
})
function coerced(values: Record<string, unknown>): Record<string, unknown> {
  coerce(values, properties)
  return values
}

test.each(['true', 'True', 'TRUE'])('%s is true and its opposite false, in the spelling of any language', (yes) => {
  expect(coerced({ flag: yes })).toEqual({ flag: true })
  expect(coerced({ flag: yes.replace(/true/i, 'False') })).toEqual({ flag: false })
})

test.each(['1', '0', 'yes', '', '"%s" is neither, and left to validation', 'truer'])(
  '"%s" is neither, and left to validation',
  (text) => {
    expect(coerced({ flag: text })).toEqual({ flag: text })
  },
)

test('plain numbers become numbers, other spellings stay text, and strings are never changed', () => {
  expect(coerced({ count: '-5', rate: '1.5', name: '5', many: '7' })).toEqual({
    count: -5,
    rate: 1.5,
    name: '5',
    many: [7],
  })
  for (const count of ['5e0', '0x5', ' 5', '5.0', '+5', '']) expect(coerced({ count })).toEqual({ count })
})

test('the words of an enum are found in any case, and others are left to validation', () => {
  const { properties: words } = Type.Object({
    status: Type.Enum(['pending', 'CLAIMED']),
    many: Type.Array(Type.Enum(['a', 'b'])),
  })
  const read = (values: Record<string, unknown>) => {
    coerce(values, words)
    return values
  }
  expect(read({ status: 'Pending', many: ['A', 'b', 'c'] })).toEqual({ status: 'pending', many: ['a', 'b', 'c'] })
  expect(read({ status: 'claimed' })).toEqual({ status: 'CLAIMED' })
  expect(read({ status: 'pendin' })).toEqual({ status: 'pendin' })
})
