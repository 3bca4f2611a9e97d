import { expect, onTestFinished, test, vi } from 'vitest'
import { draws } from './draws.ts'

const FIXED = { numRuns: 5, seed: 20_260_303 }

function drawsWith(environment: Readonly<Record<string, string>>) {
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value)
  onTestFinished(() => void vi.unstubAllEnvs())
  return draws('DRAWS_TEST_', FIXED)
}

test('a property draws the same values every time unless more or others are asked for', () => {
  expect(drawsWith({})).toEqual(FIXED)
})

test('a property of which more runs are asked for draws new values', () => {
  expect(drawsWith({ DRAWS_TEST_RUNS: '200' })).toEqual({ numRuns: 200 })
})

test('a property repeats the values of a seed', () => {
  expect(drawsWith({ DRAWS_TEST_SEED: '7' })).toEqual({ numRuns: 5, seed: 7 })
  expect(drawsWith({ DRAWS_TEST_RUNS: '200', DRAWS_TEST_SEED: '7' })).toEqual({ numRuns: 200, seed: 7 })
})
