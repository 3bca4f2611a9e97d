import { ConfigError } from '../config.ts'
import { verifyAudit } from './audit-command.ts'
import { handleHelpFlag } from './handle-help-flag.ts'

handleHelpFlag(`npm run -s audit:verify                              verifies every audit log, one line per organization
npm run -s audit:verify -- ORGANIZATION:ENTRY:HASH   also verifies that the log still contains this entry

Reads only, also while the service runs: the database of DATABASE_URL, or the one under DATA_DIR (.data).
Exits with 0 if all are whole, 1 if one is broken, 2 if they could not be read. See docs/audit-log.md.`)

/** `npm run audit:verify [-- ORGANIZATION:ENTRY:HASH ...]`: exit code 0 whole, 1 broken, 2 could not be read. */
try {
  const say = (line: string) => process.stdout.write(`${line}\n`)
  process.exitCode = (await verifyAudit(process.env, process.argv.slice(2), say)) ? 0 : 1
} catch (error) {
  const lines = error instanceof ConfigError ? error.problems : [error instanceof Error ? error.message : String(error)]
  for (const line of lines) process.stderr.write(`${line}\n`)
  process.exitCode = 2
}
