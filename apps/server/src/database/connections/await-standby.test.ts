// Tests `watch-connections.ts`: when commits count as waiting for a standby that is missing, and until when.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { CONNECTION_WATCH_MS, SILENCE_ROUNDS } from '../../kernel/index.ts'
import { type BackendState, ConnectionWatch, type WatchedConnection } from './watch-connections.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const rounds = (count: number) => vi.advanceTimersByTimeAsync(count * CONNECTION_WATCH_MS)

class Connection implements WatchedConnection {
  isWaiting = true
  bytesRead = 0
  statementTimeoutMs = 0
  state: BackendState = 'executing'
  waits: readonly string[] | Error = []
  aborted: string | undefined

  readState = async () => this.state
  readWaits = async () => {
    if (this.waits instanceof Error) throw this.waits
    return new Set(this.waits)
  }
  abort(error: Error): void {
    this.aborted = error.message
  }
}

test('a slow statement may wait for its standby as long as a quick one', async () => {
  const [watch, slow] = [new ConnectionWatch(), new Connection()]
  watch.add(slow)
  await rounds(20)
  slow.state = 'awaiting_standby'
  await rounds(SILENCE_ROUNDS.probe)
  expect(slow.aborted).toBeUndefined()
  await rounds(SILENCE_ROUNDS.standby)
  expect(slow.aborted).toContain('no standby confirms the commit')
  expect(watch.awaitsStandby).toBe(true)
})

test('writes go on once no commit waits that did before, however many wait for a moment', async () => {
  const [watch, connection] = [new ConnectionWatch(), new Connection()]
  connection.waits = ['1 a', '2 b']
  watch.noteAwaiting(connection)
  await rounds(SILENCE_ROUNDS.probe)
  connection.waits = ['2 b', '3 c']
  await rounds(SILENCE_ROUNDS.probe)
  expect(watch.awaitsStandby).toBe(true)
  connection.waits = ['4 d', '5 e']
  await rounds(SILENCE_ROUNDS.probe)
  expect(watch.awaitsStandby).toBe(false)
  expect(vi.getTimerCount()).toBe(0)
})

test('a server that refuses the question has not said that no commit waits', async () => {
  const [watch, connection] = [new ConnectionWatch(), new Connection()]
  watch.noteAwaiting(connection)
  connection.waits = new Error('too many connections')
  await rounds(10 * SILENCE_ROUNDS.probe)
  expect(watch.awaitsStandby).toBe(true)
  connection.waits = []
  await rounds(SILENCE_ROUNDS.probe)
  expect(watch.awaitsStandby).toBe(false)
})
