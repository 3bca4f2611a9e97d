import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { changesDocument } from '../../../../../scripts/documents/write-changes-doc.ts'

test('docs/change-requests.md matches the table of states', () => {
  const written = readFileSync(new URL('../../../../../docs/change-requests.md', import.meta.url), 'utf8')
  expect(written, 'run: node scripts/documents/write-changes-doc.ts').toBe(changesDocument(written))
})
