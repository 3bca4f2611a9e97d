import { expect, test } from 'vitest'
import { silenceOf } from './silence.ts'

const NOW = Date.parse('2026-03-01T12:00:00.000Z')
const polled = (keyName: string, minutesAgo: number) => ({
  keyName,
  polledAt: new Date(NOW - minutesAgo * 60_000).toISOString(),
})

test('no agent at all is a silence of its own', () => {
  expect(silenceOf([], NOW)).toEqual({ kind: 'none', silent: [], agents: 0 })
})

test('an agent that polled within five minutes is not silent', () => {
  expect(silenceOf([polled('One', 0), polled('Two', 5)], NOW)).toBeUndefined()
})

test('silent agents are named, the last that polled first', () => {
  const [old, older] = [polled('One', 6), polled('Two', 90)]
  expect(silenceOf([older, old], NOW)).toEqual({ kind: 'all', silent: [old, older], agents: 2 })
})

test('one silent agent of two may be the one that signs', () => {
  const old = polled('One', 6)
  expect(silenceOf([old, polled('Two', 1)], NOW)).toEqual({ kind: 'some', silent: [old], agents: 2 })
})
