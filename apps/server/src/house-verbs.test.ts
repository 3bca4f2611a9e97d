import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

/** Rooms without verbs: they compose, parse or present, or verbs build on them. */
const NO_VERBS = new Set(['database', 'kernel', 'config', 'main', 'sandbox', 'surfaces'])

/** Writes a table, opens the transaction in which others do, or passes on the one that its caller commits with. */
const WRITES =
  /\b(insertInto|updateTable|deleteFrom)\(|\binsert into [a-z_]+|\bupdate [a-z_]+ (?:[a-z] )?set\b|\bdelete from [a-z_]+|\b(inTransaction\(|transact\b)/
const EXPORTS_A_FUNCTION = /^export (async )?function|^export const \w+ =.*=>/m

const root = dirname(fileURLToPath(import.meta.url))
const names = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
const files = new Set(names)
const verbs = names.filter(isVerb)
const testOf = (name: string) => name.replace(/\.ts$/, '.test.ts')

function isVerb(name: string): boolean {
  if (name.endsWith('.test.ts') || !name.includes('/') || NO_VERBS.has(name.split('/')[0]!)) return false
  const code = readFileSync(join(root, name), 'utf8').replace(/^\s*(\*|\/\/|\/\*).*$/gm, '')
  return EXPORTS_A_FUNCTION.test(code) && WRITES.test(code)
}

test('every verb that changes something has its test next to it', () => {
  expect(verbs.length).toBeGreaterThan(50)
  expect(verbs.filter((name) => !files.has(testOf(name)))).toEqual([])
})

test('the tests that a test names at its top exist', () => {
  const named = names
    .filter((name) => name.endsWith('.test.ts'))
    .flatMap((from) => [...headerOf(from).matchAll(/[\w/-]+\.test\.ts/g)].map(([path]) => ({ from, path })))
  expect(named.length).toBeGreaterThan(50)
  expect(named.filter(({ from, path }) => !exists(from, path))).toEqual([])
})

/** The comment lines at the top of a file. */
function headerOf(name: string): string {
  return /^(\/\/.*\n)*/.exec(readFileSync(join(root, name), 'utf8'))![0]
}

/** A path is relative to the test's folder, its room, the service, `apps/server` or the repository. */
function exists(from: string, path: string): boolean {
  const bases = [dirname(from), from.split('/')[0]!, '.', '..', '../../..']
  return bases.some((base) => existsSync(join(root, base, path)))
}
