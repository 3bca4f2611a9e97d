import { expect, test } from 'vitest'
import { createReadWriteLock, lockWithHeartbeat } from './read-write-lock.ts'

test('the heartbeat pauses during exclusive work, even when that fails, and at no other time', async () => {
  const log: string[] = []
  const note = (what: string) => async () => void log.push(what)
  const gate = lockWithHeartbeat(createReadWriteLock(), {
    pause: note('paused'),
    resume: () => void log.push('resumed'),
  })
  const all = [
    gate.shared(note('shared')),
    gate.exclusive(note('alone')),
    gate.exclusive(async () => {
      log.push('failed')
      throw new Error('no')
    }),
    gate.shared(note('shared again')),
  ]
  expect((await Promise.allSettled(all)).map(({ status }) => status === 'fulfilled')).toEqual([true, true, false, true])
  const turns = ['paused', 'alone', 'resumed', 'paused', 'failed', 'resumed']
  expect(log).toEqual(['shared', ...turns, 'shared again'])
})
