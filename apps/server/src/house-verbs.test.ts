import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

/** Rooms without verbs: they compose, parse or present, or verbs build on them. */
const NO_VERBS = new Set(['database', 'kernel', 'config', 'main', 'sandbox', 'surfaces'])

/**
 * Verbs without a test next to them, with the test that holds their guarantees: that of a group of verbs with the same
 * rules, of the verb that they are a part of, or of the surface that they serve. A verb that gets its own test leaves the
 * list.
 */
const HELD_BY: Readonly<Record<string, string>> = {
  'ramp/customers/move-verification.ts': 'ramp/events/apply-onboarding-event.test.ts',
  'ramp/transactions/move-ramp-transaction.ts': 'ramp/events/apply-transfer-event.test.ts',
}

/** Writes a table, or opens the transaction in which others do. */
const WRITES =
  /\b(insertInto|updateTable|deleteFrom)\(|\binsert into [a-z_]+|\bupdate [a-z_]+ (?:[a-z] )?set\b|\bdelete from [a-z_]+|\b(inTransaction|transact)\(/
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

test('every verb that changes something has its test next to it, or is listed here', () => {
  expect(verbs.length).toBeGreaterThan(50)
  expect(verbs.filter((name) => !files.has(testOf(name)) && HELD_BY[name] === undefined)).toEqual([])
})

test('the list names only verbs without a test of their own, and tests that exist', () => {
  const stale = Object.entries(HELD_BY).filter(
    ([verb, held]) => !verbs.includes(verb) || files.has(testOf(verb)) || !files.has(held),
  )
  expect(stale).toEqual([])
})
