import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { rebalancingDocument } from '../../../../../scripts/documents/write-rebalancing-doc.ts'
import { AWAITED, OPENING_AWAITED_STATE } from './awaited-states.ts'

test('docs/rebalancing.md shows the table of states', () => {
  const written = readFileSync(new URL('../../../../../docs/rebalancing.md', import.meta.url), 'utf8')
  expect(written, 'run: node scripts/documents/write-rebalancing-doc.ts').toBe(rebalancingDocument(written))
})

test('an awaited withdrawal ends once', () => {
  expect(new Set(AWAITED.transitions.map(({ from }) => from))).toEqual(new Set([OPENING_AWAITED_STATE]))
})
