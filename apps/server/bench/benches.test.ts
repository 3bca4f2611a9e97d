import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type BenchEnvironment, tinyBenchEnvironment } from './bench-environment.ts'
import { BENCHES } from './benches.ts'

let workplace: BenchEnvironment

beforeAll(() => {
  workplace = tinyBenchEnvironment(inject('postgresUrl'))
})
afterAll(() => workplace.stop())

test.each(Object.keys(BENCHES))('the benchmark %s runs and returns ratios', async (name) => {
  const comparisons = await BENCHES[name]!(workplace)
  expect(comparisons.length).toBeGreaterThan(0)
  for (const { median } of comparisons) expect(median).toBeGreaterThan(0)
})
