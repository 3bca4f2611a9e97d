import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { breakersDocument } from '../../../../scripts/documents/write-breakers-doc.ts'

test('docs/risk.md matches the table of states', () => {
  const written = readFileSync(new URL('../../../../docs/risk.md', import.meta.url), 'utf8')
  expect(written, 'run: node scripts/documents/write-breakers-doc.ts').toBe(breakersDocument(written))
})
