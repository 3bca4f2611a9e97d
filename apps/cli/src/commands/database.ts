import { defineCommand, type Result } from '../define-command.ts'
import type { Definer } from '../definer.ts'
import { EXIT, type Shell, UsageError } from '../shell.ts'

/** What an operator does with the database and with backups of it. */
export function defineDatabaseCommands({ program, group, shell, end }: Definer): void {
  defineCommand<{ pending?: boolean }>(
    program,
    { shell, end },
    {
      usage: 'migrate',
      summary: 'Bring the database to this version, or show what is missing',
      description:
        'Applies the missing migrations to the database of DATABASE_URL, as the next start would. Back up first: migrations are not undone (docs/upgrading.md). Several processes may run it at once.',
      options: [
        [
          '--pending',
          'list the missing migrations and change nothing; works for the embedded database while the service runs',
        ],
      ],
      codes: { [EXIT.problems]: 'with --pending: migrations are missing, or the database is of a newer version' },
      examples: [
        { run: 'migrate --pending', does: 'before an upgrade' },
        { run: 'migrate', does: 'where only one user may change tables, before the processes start' },
      ],
      run: (own, _args, { pending }) => (pending ? listPending(own) : applyAll(own)),
    },
  )
  defineCommand<{ server?: string }>(
    group('backup', 'Backups of the database'),
    { shell, end },
    {
      usage: 'check <dump>',
      summary: 'Restore a dump into a temporary database and verify it',
      description:
        'Restores a dump of pg_dump, in any of its formats, into a temporary database, and verifies what came back: its migrations, and whether this version can apply the missing ones; every audit log; that every entry of the ledger sums to zero and every balance is the sum of its postings. Needs `psql` and `pg_restore`, as new as the dump, and space for the database. The database belongs to a PostgreSQL that starts for the check; a package made with --live has none, so name a server with --server. Does not check the secrets: without them sealed values stay sealed.',
      arguments: { dump: 'file or folder that pg_dump wrote' },
      options: [
        [
          '--server <url>',
          'create the temporary database on this PostgreSQL server, as a user that may, and drop it afterwards; refused where any database of the server holds Weir. PGPASSWORD keeps a password out of the URL',
        ],
      ],
      codes: { [EXIT.problems]: 'the backup is not whole' },
      examples: [
        { run: 'backup check /backups/weir-2026-11-22.dump', does: 'after each backup, or once a week' },
        {
          run: 'backup check nightly.dump --server postgres://checker@spare.internal/postgres',
          does: 'on a spare server',
        },
      ],
      async run(own, [dump = ''], { server }) {
        const { checkBackup } = await import('../backup/check-backup.ts')
        const { reportLines } = await import('../doctor/findings.ts')
        const findings = await checkBackup(own, dump, server === undefined ? undefined : withPassword(server, own.env))
        const isWhole = findings.every(({ status }) => status !== 'problem')
        const sections = [{ name: `Backup ${dump}`, findings }]
        const code = isWhole ? EXIT.done : EXIT.problems
        return { json: { ok: isWhole, findings }, lines: reportLines(sections, own), code }
      },
    },
  )
}

/** The URL of a server, with the password of the environment unless it has one. */
function withPassword(text: string, { PGPASSWORD: password }: Shell['env']): string {
  if (!/^postgres(ql)?:\/\/[^,]+$/.test(text) || !URL.canParse(text))
    throw new UsageError('--server must be a URL of one server, such as postgres://user@host:5432/postgres')
  const url = new URL(text)
  if (url.password === '' && password !== undefined) url.password = encodeURIComponent(password)
  return url.href
}

async function applyAll({ env }: Shell): Promise<Result> {
  const { migrateDatabase } = await import('../../../server/src/main/commands/migrate-command.ts')
  const lines: string[] = []
  await migrateDatabase(env, [], (line) => lines.push(line))
  return { json: { migrated: true }, lines }
}

async function listPending({ env }: Shell): Promise<Result> {
  const { pendingMigrations } = await import('../backup/pending-migrations.ts')
  const { pending, unknown } = await pendingMigrations(env)
  const lines = [
    ...pending.map((name) => `missing ${name}`),
    ...unknown.map((name) => `of a newer version: ${name}`),
    ...(pending.length + unknown.length === 0 ? ['the database is at this version'] : []),
  ]
  return { json: { pending, unknown }, lines, code: pending.length + unknown.length === 0 ? EXIT.done : EXIT.problems }
}
