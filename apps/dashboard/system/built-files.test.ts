import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { sourcesHash } from '../build/sources-hash.ts'

const folder = fileURLToPath(new URL('..', import.meta.url))

test('the built files are those of the sources: npm run build:dashboard', () => {
  const { sources } = JSON.parse(readFileSync(`${folder}/dist/files.json`, 'utf8')) as { sources: string }
  expect(sources).toBe(sourcesHash(folder))
})
