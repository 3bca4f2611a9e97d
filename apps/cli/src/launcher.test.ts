import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeEach, expect, onTestFinished, test } from 'vitest'

const LAUNCHER = fileURLToPath(new URL('../weir.mjs', import.meta.url))

/** A repository with the real launcher, a bootstrap that only says that it ran, and a command that says where it keeps data. */
let root = ''
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'weir-launcher-'))
  const created = root
  onTestFinished(() => rmSync(created, { recursive: true }))
  for (const folder of ['apps/cli/src', 'scripts']) mkdirSync(join(root, folder), { recursive: true })
  copyFileSync(LAUNCHER, join(root, 'apps/cli/weir.mjs'))
  write('package.json', '{"type": "module"}')
  write('package-lock.json', '{}')
  write('scripts/bootstrap.mjs', "console.log('bootstrap'); process.exitCode = Number(process.env.FAILS ?? 0)")
  write('apps/cli/src/main.ts', "console.log('command', process.argv.slice(2).join(' '), process.env.DATA_DIR)")
})

const write = (name: string, text: string) => writeFileSync(join(root, name), text)

/** Writes the stamp of the bootstrap, this many seconds older than the lock file. */
function stamp(secondsBefore: number): void {
  mkdirSync(join(root, 'node_modules'), { recursive: true })
  write('node_modules/.bootstrap', 'x')
  const now = Date.now() / 1_000
  utimesSync(join(root, 'package-lock.json'), now, now)
  utimesSync(join(root, 'node_modules/.bootstrap'), now - secondsBefore, now - secondsBefore)
}

function weir(env: Readonly<Record<string, string>> = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'apps/cli/weir.mjs'), 'one', 'two'], {
    cwd: tmpdir(),
    env: { PATH: process.env.PATH, ...env },
    encoding: 'utf8',
  })
  return { status, stdout, isBootstrapped: stderr.includes('bootstrap') }
}

test('without packages it installs them first, and goes no further if that fails', () => {
  expect(weir({ FAILS: '3' })).toEqual({ status: 3, stdout: '', isBootstrapped: true })
  expect(weir()).toMatchObject({ status: 0, isBootstrapped: true })
})

test('with packages of the bootstrap it installs again only if the lock file is newer', () => {
  stamp(-10)
  expect(weir()).toMatchObject({ status: 0, isBootstrapped: false })
  stamp(10)
  expect(weir()).toMatchObject({ status: 0, isBootstrapped: true })
})

test('packages that somebody else installed stay as they are, and data are in the repository wherever it is called', () => {
  mkdirSync(join(root, 'node_modules'))
  expect(weir()).toEqual({ status: 0, stdout: `command one two ${join(root, '.data')}\n`, isBootstrapped: false })
  expect(weir({ DATA_DIR: '/elsewhere' }).stdout).toBe('command one two /elsewhere\n')
})
