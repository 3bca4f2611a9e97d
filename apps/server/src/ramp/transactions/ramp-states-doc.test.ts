import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { rampDocument } from '../../../../../scripts/documents/write-ramp-doc.ts'

test('docs/ramp.md matches the tables of states', () => {
  const written = readFileSync(new URL('../../../../../docs/ramp.md', import.meta.url), 'utf8')
  expect(written, 'run: node scripts/documents/write-ramp-doc.ts').toBe(rampDocument(written))
})
