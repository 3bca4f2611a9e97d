import { afterAll, beforeAll, expect, test } from 'vitest'
import { testDatabase } from '../testing/index.ts'
import { type Books, openBooks } from './database.ts'
import { runSeed } from './run-seed.ts'
import { BROKEN_RULES } from './sabotages.ts'

const STEPS = 100

let books: Books
let drop: () => Promise<void>
beforeAll(async () => {
  const database = await testDatabase()
  books = await openBooks(database.url)
  drop = database.close
})
afterAll(async () => {
  await books?.close()
  await drop?.()
})

test.each(BROKEN_RULES)('money rule $rule, broken: $name', async ({ seed, finds, sabotage }) => {
  const { violation } = await runSeed(books, { seed, steps: STEPS, sabotage })
  expect(violation).toMatch(finds)
})

const seeds = [...new Set(BROKEN_RULES.map(({ seed }) => seed))].sort((a, b) => a - b)

test.each(seeds)('the same seed, %i, finds nothing in the engine as it is', async (seed) => {
  expect((await runSeed(books, { seed, steps: STEPS })).violation).toBeUndefined()
})
