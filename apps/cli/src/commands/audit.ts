import { accessSync, constants } from 'node:fs'
import { defineCommand } from '../define-command.ts'
import type { Definer } from '../definer.ts'
import { EXIT, UsageError } from '../shell.ts'

export function defineAuditCommands({ group, shell, end }: Definer): void {
  defineCommand<{ anchors?: readonly string[] }>(
    group('audit', 'The audit logs of all organizations'),
    { shell, end },
    {
      usage: 'verify [entries...]',
      summary: 'Verify every audit log, one line per organization',
      description:
        'Recomputes the hash of every entry of every audit log (docs/audit-log.md). Record a head that it prints elsewhere, and pass it later: the command then proves that the log still contains that entry. Names decisions on operations and change requests that no entry records. Only reads, and can run beside the service.',
      arguments: { entries: 'recorded heads, as this command prints them: ORGANIZATION:ENTRY:HASH' },
      options: [
        [
          '--anchors <path...>',
          'also verify the logs against a file of anchors; repeat for several, which are taken together',
        ],
      ],
      codes: { [EXIT.problems]: 'a log is broken, a decision has no entry, or anchors are missing or were lost' },
      examples: [
        { run: 'audit verify', does: 'every log' },
        { run: 'audit verify --anchors /var/lib/weir/anchors.ndjson', does: 'and against the anchors of AUDIT_ANCHOR' },
        { run: 'audit verify --anchors one.ndjson --anchors two.ndjson', does: 'and against those of two hosts' },
      ],
      async run({ env }, entries, { anchors = [] }) {
        for (const entry of entries) requireHead(entry)
        for (const path of anchors) requireReadable(path)
        const { verifyAudit } = await import('../../../server/src/main/commands/audit-command.ts')
        const lines: string[] = []
        const args = [...entries, ...anchors.map((path) => `--anchors=${path}`)]
        const isWhole = await verifyAudit(env, args, (line) => lines.push(line))
        return { json: { whole: isWhole, lines }, lines, code: isWhole ? EXIT.done : EXIT.problems }
      },
    },
  )
}

function requireHead(text: string): void {
  if (!/^\d{1,15}:\d{1,15}:[0-9a-f]{64}$/i.test(text))
    throw new UsageError(`${text} is not ORGANIZATION:ENTRY:HASH, as this command prints the head of a log`)
}

function requireReadable(path: string): void {
  try {
    accessSync(path, constants.R_OK)
  } catch (error) {
    throw new UsageError(`the file of anchors cannot be read: ${(error as Error).message}`)
  }
}
