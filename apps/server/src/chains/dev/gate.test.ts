import { expect, test } from 'vitest'
import { createGate } from './gate.ts'

function deferred() {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { promise, resolve }
}
const settle = () => new Promise((resolve) => setImmediate(resolve))

test('shared work runs together; exclusive work waits for it, and what comes later waits for the exclusive', async () => {
  const gate = createGate()
  const order: string[] = []
  const [one, two, alone] = [deferred(), deferred(), deferred()]
  const step = (name: string, until: Promise<void>) => async () => {
    order.push(`${name} begins`)
    await until
    order.push(`${name} ends`)
  }
  const all = [
    gate.shared(step('one', one.promise)),
    gate.shared(step('two', two.promise)),
    gate.exclusive(step('alone', alone.promise)),
    gate.shared(step('later', Promise.resolve())),
  ]
  await settle()
  expect(order).toEqual(['one begins', 'two begins'])
  two.resolve()
  await settle()
  expect(order).toEqual(['one begins', 'two begins', 'two ends'])
  one.resolve()
  await settle()
  expect(order.slice(3)).toEqual(['one ends', 'alone begins'])
  alone.resolve()
  await Promise.all(all)
  expect(order.slice(5)).toEqual(['alone ends', 'later begins', 'later ends'])
})

test('work that fails opens the gate all the same, and its failure reaches only its caller', async () => {
  const gate = createGate()
  const failing = [
    gate.shared(() => Promise.reject(new Error('a'))),
    gate.exclusive(() => Promise.reject(new Error('b'))),
  ]
  const after = [gate.shared(async () => 'c'), gate.exclusive(async () => 'd')]
  expect((await Promise.allSettled(failing)).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await Promise.all(after)).toEqual(['c', 'd'])
})
