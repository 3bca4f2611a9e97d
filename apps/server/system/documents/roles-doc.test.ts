import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { rolesDocument } from '../../../../scripts/documents/write-roles-doc.ts'
import { stepUpDocument } from '../../../../scripts/documents/write-step-up-doc.ts'

test('docs/members-and-sessions.md says what each role may do, as the authorization matrix has it', async () => {
  const written = readFileSync(new URL('../../../../docs/members-and-sessions.md', import.meta.url), 'utf8')
  expect(await rolesDocument(written), 'run: npm exec -- node scripts/documents/write-roles-doc.ts').toBe(written)
}, 120_000)

test('docs/sign-in.md names every request that needs a step-up', async () => {
  const written = readFileSync(new URL('../../../../docs/sign-in.md', import.meta.url), 'utf8')
  expect(await stepUpDocument(written), 'run: npm exec -- node scripts/documents/write-step-up-doc.ts').toBe(written)
}, 120_000)
