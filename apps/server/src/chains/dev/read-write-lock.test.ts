import { expect, test } from 'vitest'
import { createReadWriteLock, lockWithHeartbeat } from './read-write-lock.ts'

test('the heartbeat holds still while something passes alone, also when that fails, and at no other time', async () => {
  const happened: string[] = []
  const note = (what: string) => async () => void happened.push(what)
  const gate = lockWithHeartbeat(createReadWriteLock(), {
    pause: note('paused'),
    resume: () => void happened.push('resumed'),
  })
  const all = [
    gate.shared(note('shared')),
    gate.exclusive(note('alone')),
    gate.exclusive(async () => {
      happened.push('failed')
      throw new Error('no')
    }),
    gate.shared(note('shared again')),
  ]
  expect((await Promise.allSettled(all)).map(({ status }) => status === 'fulfilled')).toEqual([true, true, false, true])
  const turns = ['paused', 'alone', 'resumed', 'paused', 'failed', 'resumed']
  expect(happened).toEqual(['shared', ...turns, 'shared again'])
})
