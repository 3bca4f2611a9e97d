import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { rowsLeft } from './at-rows.ts'

/** What the browser says: which selector matches, and whether there is a pointer that hovers. */
let matching: string | undefined
let hovers: boolean
beforeEach(() => {
  vi.useFakeTimers()
  matching = undefined
  hovers = true
  vi.stubGlobal('document', { querySelector: (selector: string) => (selector === matching ? {} : null) })
  vi.stubGlobal('matchMedia', () => ({ matches: hovers }))
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function started() {
  const end = new AbortController()
  const onHeld = vi.fn()
  const onLeft = vi.fn()
  void rowsLeft(end.signal, onHeld).then(onLeft)
  return { end, onHeld, onLeft }
}

test.each(['tbody:hover', 'tbody :focus-visible'])(
  'while %s matches, the rows stay; then nothing waits',
  async (at) => {
    matching = at
    const { onHeld, onLeft } = started()
    await vi.advanceTimersByTimeAsync(5_000)
    expect([onHeld.mock.calls.length, onLeft.mock.calls.length]).toEqual([1, 0])
    matching = undefined
    await vi.advanceTimersByTimeAsync(200)
    expect(onLeft).toHaveBeenCalled()
  },
)

test('a pointer that stays holds the rows for a quarter of a minute only', async () => {
  matching = 'tbody:hover'
  const { onLeft } = started()
  await vi.advanceTimersByTimeAsync(14_900)
  expect(onLeft).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(100)
  expect(onLeft).toHaveBeenCalled()
})

test('nothing waits for nobody, for a finger, or for a page that is gone', async () => {
  const nobody = started()
  matching = 'tbody:hover'
  hovers = false
  const finger = started()
  hovers = true
  const gone = started()
  gone.end.abort()
  await vi.advanceTimersByTimeAsync(200)
  for (const { onLeft } of [nobody, finger, gone]) expect(onLeft).toHaveBeenCalled()
  expect(nobody.onHeld).not.toHaveBeenCalled()
})
