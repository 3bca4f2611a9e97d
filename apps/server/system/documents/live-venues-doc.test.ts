import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { liveVenuesDocument } from '../../../../scripts/documents/write-live-venues-doc.ts'

test('docs/live-venues.md lists the venues of the live catalogue', () => {
  const written = readFileSync(new URL('../../../../docs/live-venues.md', import.meta.url), 'utf8')
  expect(liveVenuesDocument(), 'run: npm exec -- node scripts/documents/write-live-venues-doc.ts').toBe(written)
})
