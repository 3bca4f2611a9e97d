// Also tested in: apps/cli/src/backup/check-backup.test.ts (with the real psql, where it is installed).

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openDump, restore } from './restore.ts'

let folder = ''
const path = process.env.PATH
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'weir-restore-'))
  process.env.PATH = `${folder}:${path}`
})
afterEach(() => {
  process.env.PATH = path
  rmSync(folder, { recursive: true, force: true })
})

/** Restores this dump with a tool that does no more than the script says. */
async function restoreWith(tool: string, script: string, dump: string): Promise<string[]> {
  writeFileSync(join(folder, tool), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  const file = join(folder, 'dump')
  writeFileSync(file, dump)
  return restore(await openDump(file), 'postgres://weir:x@127.0.0.1:1/weir', new AbortController().signal)
}

const HARMLESS = `echo 'pg_restore: error: could not execute query: ERROR:  role "weir" does not exist' >&2`
const complain = 'echo nothing of note >&2'

test('an unknown role of another server is no error of an archive', async () => {
  expect(await restoreWith('pg_restore', `${HARMLESS}; exit 1`, 'PGDMP')).toEqual([])
  expect(await restoreWith('pg_restore', `${complain}; exit 1`, 'PGDMP')).toEqual(['pg_restore exited with 1'])
})

test('a tool that is killed or loses its server is an error, whatever it said before', async () => {
  expect(await restoreWith('pg_restore', `${HARMLESS}; kill -9 $$`, 'PGDMP')).toEqual(['pg_restore ended by SIGKILL'])
  const whole = '-- PostgreSQL database dump complete\n'
  expect(await restoreWith('psql', `${HARMLESS}; exit 2`, whole)).toEqual(['psql exited with 2'])
})

test('a plain dump is whole if it ends by the line that pg_dump writes last, whatever short lines follow', async () => {
  for (const after of ['', '\\unrestrict Xk2\n', '\n'.repeat(600)]) {
    const dump = `select 1;\n--\n-- PostgreSQL database dump complete\n--\n\n${after}`
    expect(await restoreWith('psql', 'exit 0', dump)).toEqual([])
  }
})

test('a plain dump that is cut is an error, although psql finds none', async () => {
  const cut = ['it ends early: the line "PostgreSQL database dump complete" is missing at its end']
  const whole = `${'select 1;\n'.repeat(300)}--\n-- PostgreSQL database dump complete\n--\n`
  expect(await restoreWith('psql', 'exit 0', 'select 1;\n-- Data for Name: audit_')).toEqual(cut)
  expect(await restoreWith('psql', 'exit 0', whole.slice(0, -10))).toEqual(cut)
  expect(await restoreWith('psql', 'exit 0', `${whole}${'select 1;\n'.repeat(300)}`)).toEqual(cut)
  expect(await restoreWith('psql', 'exit 0', '')).toEqual(cut)
})
