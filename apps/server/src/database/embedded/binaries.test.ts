import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { copyBinaries, packagedBinaries } from './binaries.ts'

test('a platform without binaries is referred to DATABASE_URL', () => {
  expect(() => packagedBinaries('amiga-m68k')).toThrow(/no embedded PostgreSQL for amiga-m68k here: set DATABASE_URL/)
})

test('the copy runs although the package lacks its symbolic links, and omits files that only compilers need', () => {
  const folder = mkdtempSync(join(tmpdir(), 'weir-binaries-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const target = join(folder, 'postgres')
  const { folder: native } = packagedBinaries()
  copyBinaries(native, target)
  copyBinaries(native, target)
  const { stdout } = spawnSync(join(target, 'bin', 'postgres'), ['--version'], { encoding: 'utf8' })
  expect(stdout).toMatch(/^postgres \(PostgreSQL\) \d+/)
  expect(readdirSync(target, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.a'))).toEqual([])
  expect(readdirSync(folder)).toEqual(['postgres'])
})
