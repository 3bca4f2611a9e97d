import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { replaceFile } from './replace-file.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'weir-replace-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

test('a file is written or replaced as a whole, and only this user can read it', () => {
  const path = join(folder, 'secret')
  writeFileSync(path, 'a longer text than the next one', { mode: 0o644 })
  for (const text of ['one', 'two']) {
    replaceFile(path, text)
    expect(readFileSync(path, 'utf8')).toBe(text)
    expect(statSync(path).mode & 0o777).toBe(0o600)
  }
  expect(readdirSync(folder)).toEqual(['secret'])
})

test('what cannot be replaced stays, and no draft is left', () => {
  const path = join(folder, 'secret')
  mkdirSync(join(path, 'inside'), { recursive: true })
  expect(() => replaceFile(path, 'one')).toThrow()
  expect(readdirSync(folder)).toEqual(['secret'])
})
