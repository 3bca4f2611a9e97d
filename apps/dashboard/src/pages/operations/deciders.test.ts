import { expect, test } from 'vitest'
import { decidersOf } from './deciders.ts'

const DECISIONS = [
  { email: 'ada@basalt.example', decision: 'approve' },
  { email: 'olga@basalt.example', decision: 'reject' },
] as const

test('who approved before a rejection is not named as who rejected', () => {
  expect(decidersOf(DECISIONS, 'reject')).toEqual(['olga@basalt.example'])
  expect(decidersOf(DECISIONS, 'approve')).toEqual(['ada@basalt.example'])
})
