import { ConfigError } from '../config.ts'
import { verifyAudit } from './audit-command.ts'

/** `npm run audit:verify [-- ORGANIZATION:ENTRY:HASH ...]`: exit code 0 whole, 1 broken, 2 could not be read. */
try {
  const say = (line: string) => process.stdout.write(`${line}\n`)
  process.exitCode = (await verifyAudit(process.env, process.argv.slice(2), say)) ? 0 : 1
} catch (error) {
  const lines = error instanceof ConfigError ? error.problems : [error instanceof Error ? error.message : String(error)]
  for (const line of lines) process.stderr.write(`${line}\n`)
  process.exitCode = 2
}
