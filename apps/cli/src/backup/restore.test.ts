// Also tested in: apps/cli/src/backup/check-backup.test.ts (with the real psql, where it is installed).

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openDump, type Restored, restore } from './restore.ts'

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
async function restoreWith(tool: string, script: string, dump: string): Promise<readonly string[]> {
  return (await restoreAllWith(tool, script, dump)).errors
}

async function restoreAllWith(tool: string, script: string, dump: string): Promise<Restored> {
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

test.each([
  'could not execute query: ERROR:  extension "pgaudit" is not available',
  'could not execute query: ERROR:  could not open extension control file "/usr/share/pgaudit.control": No such file',
  'could not execute query: ERROR:  extension "pgaudit" does not exist',
  'could not execute query: ERROR:  permission denied to create extension "pgaudit"',
  'could not execute query: ERROR:  must be owner of extension plpgsql',
  'could not execute query: ERROR:  pgaudit must be loaded via shared_preload_libraries',
])('an extension of another server is no error, and is named: %s', async (line) => {
  const { errors, extensions } = await restoreAllWith(
    'pg_restore',
    `echo 'pg_restore: error: ${line}' >&2; exit 1`,
    'PGDMP',
  )
  expect({ errors, extensions }).toEqual({ errors: [], extensions: [line.replace(/^.*ERROR: +/, '')] })
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
