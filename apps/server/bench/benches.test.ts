import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { BENCHES } from './benches.ts'
import { tinyWorkplace, type Workplace } from './workplace.ts'

let workplace: Workplace

beforeAll(() => {
  workplace = tinyWorkplace(inject('postgresUrl'))
})
afterAll(() => workplace.stop())

test.each(Object.keys(BENCHES))('the benchmark %s still runs, and ends with ratios', async (name) => {
  const comparisons = await BENCHES[name]!(workplace)
  expect(comparisons.length).toBeGreaterThan(0)
  for (const { median } of comparisons) expect(median).toBeGreaterThan(0)
})
