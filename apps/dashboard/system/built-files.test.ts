import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { sourcesHash } from '../build/sources-hash.ts'

const folder = fileURLToPath(new URL('..', import.meta.url))

test('the built files are those of the sources: npm run build:dashboard', () => {
  const { sources } = JSON.parse(readFileSync(`${folder}/dist/files.json`, 'utf8')) as { sources: string }
  expect(sources).toBe(sourcesHash(folder))
})

test('the licences of the packages in the built files travel with them', () => {
  const notices = readFileSync(`${folder}/dist/THIRD-PARTY.txt`, 'utf8')
  const parts = notices.split(/^-{78}$/m).map((part) => part.trim())
  for (const name of ['react', 'react-dom', '@mantine/core', '@tanstack/react-query', 'viem', 'uplot']) {
    expect(parts.find((part) => part.startsWith(`${name} `))).toMatch(/\(MIT\)\n[\s\S]*Copyright/)
  }
})
