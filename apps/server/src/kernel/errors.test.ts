import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { errorsDocument } from '../../../../scripts/documents/write-errors-doc.ts'

test('docs/errors.md lists the errors of the registry', () => {
  const written = readFileSync(new URL('../../../../docs/errors.md', import.meta.url), 'utf8')
  expect(written, 'run: node scripts/documents/write-errors-doc.ts').toBe(errorsDocument())
})
