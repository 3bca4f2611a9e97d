import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { operationsDocument } from '../../../../../../scripts/documents/write-operations-doc.ts'
import { transitionsDocument } from '../../../../../../scripts/documents/write-transitions-doc.ts'

test('docs/operations.md matches the tables of states', () => {
  const written = readFileSync(new URL('../../../../../../docs/operations.md', import.meta.url), 'utf8')
  expect(written, 'run: node scripts/documents/write-operations-doc.ts').toBe(operationsDocument(written))
})

test('docs/transitions.md matches the tables of transitions', () => {
  const written = readFileSync(new URL('../../../../../../docs/transitions.md', import.meta.url), 'utf8')
  expect(written, 'run: node scripts/documents/write-transitions-doc.ts').toBe(transitionsDocument())
})

test('a document without a place for one of its parts is refused', () => {
  expect(() => operationsDocument('# Operations')).toThrow('<!-- begin diagram -->')
})
