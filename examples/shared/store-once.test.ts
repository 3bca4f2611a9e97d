import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { storeOnce } from './store-once.ts'

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'weir-store-'))
  onTestFinished(() => rmSync(made, { recursive: true }))
  return made
}

test('two runs that overlap both end with what the first one stored', () => {
  const path = join(folder(), 'payments.json')
  storeOnce(path, '["first"]')
  storeOnce(path, '["second"]')
  expect(readFileSync(path, 'utf8')).toBe('["first"]')
})

test('only its owner can read it, and nothing else is left', () => {
  const made = folder()
  storeOnce(join(made, 'payments.json'), '[]')
  expect(statSync(join(made, 'payments.json')).mode & 0o777).toBe(0o600)
  expect(readdirSync(made)).toEqual(['payments.json'])
})

test('a folder that does not exist is an error, and nothing is stored', () => {
  const made = folder()
  expect(() => storeOnce(join(made, 'missing', 'payments.json'), '[]')).toThrow('ENOENT')
  expect(readdirSync(made)).toEqual([])
})
