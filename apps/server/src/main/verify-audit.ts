import { handleHelpFlag } from './commands/handle-help-flag.ts'
import { runHostCommand } from './commands/run-host-command.ts'

handleHelpFlag(`npm run -s audit:verify                              verifies every audit log, one line per organization
npm run -s audit:verify -- ORGANIZATION:ENTRY:HASH   also verifies that the log still contains this entry
npm run -s audit:verify -- --anchors PATH            also verifies the logs against anchors, a line each; may be repeated

Only reads, and can run beside the service: the database of DATABASE_URL, or the one under DATA_DIR (.data).
Exits with 0 if all are whole, 1 if one is broken, 2 if they could not be read. See docs/audit-log.md.`)

/** `npm run audit:verify [-- ORGANIZATION:ENTRY:HASH ...]`: exit code 0 whole, 1 broken, 2 could not be read. */
await runHostCommand(async (...command) => {
  const { verifyAudit } = await import('./commands/audit-command.ts')
  process.exitCode = (await verifyAudit(...command)) ? 0 : 1
})
