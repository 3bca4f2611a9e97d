import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { architectureDocument } from '../../../../scripts/documents/write-architecture-doc.ts'

test('docs/architecture.md draws the imports of the code', () => {
  const written = readFileSync(new URL('../../../../docs/architecture.md', import.meta.url), 'utf8')
  expect(architectureDocument(written), 'run: npm exec -- node scripts/documents/write-architecture-doc.ts').toBe(
    written,
  )
})
