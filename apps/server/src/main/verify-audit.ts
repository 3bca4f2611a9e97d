import { ConfigError } from '../config.ts'
import { verifyAudit } from './audit-command.ts'
import { handleHelpFlag } from './handle-help-flag.ts'

handleHelpFlag(`npm run -s audit:verify                              whether every audit log is whole, a line for each organization
npm run -s audit:verify -- ORGANIZATION:ENTRY:HASH   and whether that entry still stands in it, as this told it before

Reads only, also while the service runs: the database of DATABASE_URL, or the one under DATA_DIR (.data).
Ends with 0 when all are whole, 1 when one is broken, 2 when they could not be read. docs/audit-log.md tells more.`)

/** `npm run audit:verify [-- ORGANIZATION:ENTRY:HASH ...]`: exit code 0 whole, 1 broken, 2 could not be read. */
try {
  const say = (line: string) => process.stdout.write(`${line}\n`)
  process.exitCode = (await verifyAudit(process.env, process.argv.slice(2), say)) ? 0 : 1
} catch (error) {
  const lines = error instanceof ConfigError ? error.problems : [error instanceof Error ? error.message : String(error)]
  for (const line of lines) process.stderr.write(`${line}\n`)
  process.exitCode = 2
}
