import { defineCommand } from '../define-command.ts'
import type { Definer } from '../definer.ts'
import { EXIT } from '../shell.ts'

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
      options: [['--anchors <path...>', 'also verify the logs against a file of anchors']],
      codes: { [EXIT.problems]: 'a log is broken, or a decision has no entry' },
      examples: [
        { run: 'audit verify', does: 'every log' },
        { run: 'audit verify --anchors /var/anchors/weir.jsonl', does: 'and against the anchors of AUDIT_ANCHOR' },
      ],
      async run({ env }, entries, { anchors = [] }) {
        const { verifyAudit } = await import('../../../server/src/main/commands/audit-command.ts')
        const lines: string[] = []
        const args = [...entries, ...anchors.map((path) => `--anchors=${path}`)]
        const isWhole = await verifyAudit(env, args, (line) => lines.push(line))
        return { json: { whole: isWhole, lines }, lines, code: isWhole ? EXIT.done : EXIT.problems }
      },
    },
  )
}
