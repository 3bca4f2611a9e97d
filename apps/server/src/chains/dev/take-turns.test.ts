import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createTurns } from './take-turns.ts'

const KIND = fc.constantFrom('first', 'second')

test('work runs beside work of its kind only, and in the order of turns', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(KIND, fc.nat(3), fc.boolean()), { maxLength: 20 }), async (works) => {
      const takeTurn = createTurns()
      const running = { first: 0, second: 0 }
      const started: number[] = []
      let together = 0
      const all = works.map(([kind, ticks, fails], index) =>
        takeTurn(kind, async () => {
          running[kind]++
          started.push(index)
          expect(running[kind === 'first' ? 'second' : 'first']).toBe(0)
          together = Math.max(together, running[kind])
          for (let tick = 0; tick < ticks; tick++) await Promise.resolve()
          running[kind]--
          if (fails) throw new Error('no')
          return index
        }),
      )
      const ended = await Promise.allSettled(all)
      expect(ended.map(({ status }) => status === 'rejected')).toEqual(works.map(([, , fails]) => fails))
      expect(started).toEqual(works.map((_, index) => index))
    }),
  )
})

test('work of one kind runs together, and the other kind has its turn although the first goes on arriving', async () => {
  const takeTurn = createTurns()
  const log: string[] = []
  const release: (() => void)[] = []
  const held = (name: string) => () =>
    new Promise<void>((resolve) => {
      log.push(name)
      release.push(resolve)
    })
  const tick = () => new Promise((resolve) => setImmediate(resolve))
  void takeTurn('first', held('read'))
  void takeTurn('first', held('read too'))
  void takeTurn('second', held('mine'))
  void takeTurn('first', held('read later'))
  await tick()
  expect(log).toEqual(['read', 'read too'])
  for (const end of release.splice(0)) end()
  await tick()
  expect(log).toEqual(['read', 'read too', 'mine'])
  for (const end of release.splice(0)) end()
  await tick()
  expect(log).toEqual(['read', 'read too', 'mine', 'read later'])
})
