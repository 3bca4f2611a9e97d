import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { pagesOf, readNavigation } from '../build/navigation.ts'
import { hashOf, sharedHash } from '../build/sources-hash.ts'

const folder = fileURLToPath(new URL('..', import.meta.url))
const repository = fileURLToPath(new URL('../../..', import.meta.url))

const navigation = readNavigation(folder)
const pages = pagesOf(navigation, repository)

interface Site {
  readonly shared: string
  readonly pages: readonly { readonly name: string; readonly sources: string; readonly description: string }[]
}

test('the built site is that of its sources: npm run build:docs', () => {
  const site = JSON.parse(readFileSync(join(folder, 'dist/site.json'), 'utf8')) as Site
  const built = Object.fromEntries(site.pages.map(({ name, sources }) => [name, sources]))
  const sources = pages.map(({ name, file }) => [name, hashOf(readFileSync(join(repository, file)))])
  expect({ shared: site.shared, ...built }).toEqual({ shared: sharedHash(folder), ...Object.fromEntries(sources) })
})

test('every page has a description: its first paragraph, or what <!-- about: ... --> says', () => {
  const site = JSON.parse(readFileSync(join(folder, 'dist/site.json'), 'utf8')) as Site
  expect(site.pages.filter(({ description }) => description === '').map(({ name }) => name)).toEqual([])
})

test('every document is a page, and every page is listed once', () => {
  const files = pages.map(({ file }) => file)
  expect(new Set(files).size).toBe(files.length)
  expect(globSync('docs/**/*.md', { cwd: repository }).filter((file) => !files.includes(file))).toEqual([])
})
