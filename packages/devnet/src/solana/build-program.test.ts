import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { temporaryFolder } from '../evm/test-chain.ts'

const folder = temporaryFolder()
afterEach(() => folder.remove())

const PROGRAM = join(import.meta.dirname, '../../programs/vault')
/** The exit code of build.mjs when the compiler is not installed. */
const NO_COMPILER = 2

test('the program in the repository matches its source', (context) => {
  const output = join(folder.path, 'vault.so')
  const { status, stderr } = spawnSync(process.execPath, [join(PROGRAM, 'build.mjs'), output], { encoding: 'utf8' })
  if (status === NO_COMPILER) {
    console.warn(`SKIPPED: vault.so was not compared with vault.c: ${stderr}`)
    return context.skip(stderr)
  }
  expect(status, stderr).toBe(0)
  expect(readFileSync(output).equals(readFileSync(join(PROGRAM, 'vault.so')))).toBe(true)
})
