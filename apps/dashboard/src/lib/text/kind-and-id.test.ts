import { expect, test } from 'vitest'
import { kindAndId } from './kind-and-id.ts'

test('a word for a kind and a number name one thing', () => {
  for (const [text, kind, id] of [
    ['operation 5', 'operations', 5],
    ['Supply #12', 'operations', 12],
    ['wallet 3', 'wallets', 3],
    [' payment#7 ', 'payments', 7],
    ['recipient 1', 'recipients', 1],
  ] as const)
    expect(kindAndId(text), text).toEqual({ kind, id })
})

test('any other text is searched as it is', () => {
  for (const text of ['', '5', 'operation', 'operation 0', 'granite 5', '0x5', 'wallet 3 4', 'wallet 3x'])
    expect(kindAndId(text), text).toBeUndefined()
})
