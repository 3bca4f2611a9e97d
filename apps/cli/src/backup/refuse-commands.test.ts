// Also tested in: apps/cli/src/backup/check-backup.test.ts (with dumps that pg_dump wrote).
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openDump } from './restore.ts'

const folder = mkdtempSync(join(tmpdir(), 'weir-commands-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function open(dump: string) {
  const file = join(folder, 'dump.sql')
  writeFileSync(file, dump)
  return openDump(file)
}

test.each([
  '\\! touch /tmp/ran',
  '\\i /etc/passwd',
  'select 1 \\g |sh',
  'select 1; \\! touch /tmp/ran',
  '\\copy wallets to program sh',
  "\\connect 'host=elsewhere.example'",
  '\\connect `touch /tmp/ran`',
  '\\t `touch /tmp/ran`',
  'copy nothing from stdin;\n1\t\\! touch /tmp/ran\n\\.',
  '\\\\\\! touch /tmp/ran',
  '\\set x `touch /tmp/ran`',
  '\\connect weir weir /var/run/postgresql 5432',
  '\\connect postgres://elsewhere.example/weir',
  '\\connect service=prod',
  "do $$ begin raise exception '%', chr(92)||'! touch /tmp/ran'; end $$;\n:LAST_ERROR_MESSAGE",
  "select :'LAST_ERROR_MESSAGE';",
  "SET client_encoding = 'SJIS';",
  "set names 'SJIS';",
  "select 'é\\\\! touch /tmp/ran';",
])('a plain dump with %j is refused before psql reads it', async (text) => {
  await expect(open(`select 1;\n${text}\n`)).rejects.toThrow(/line \d+: this may be a command of psql/)
})

test('what pg_dump writes is accepted: data with escapes, and its own commands', async () => {
  const lines = [
    '\\restrict Xk2',
    "SET client_encoding = 'UTF8';",
    'copy public.events (id, body, hash) from stdin;',
    '1\t{"note":"a\\\\nb `c` \\\\"d\\\\""}\t\\\\x0a1b',
    '\\N\tline\\nsee `this`\\r\\n\\tand that\t\\N',
    '\\.',
    "    hash bytea default '\\x00ff'::bytea not null",
    '\\connect weir',
    '\\connect weir-host',
    '\\connect -reuse-previous=on "dbname=\'weir\'"',
    '\\unrestrict Xk2',
  ]
  await expect(open(lines.join('\n'))).resolves.toMatchObject({ isArchive: false })
})
