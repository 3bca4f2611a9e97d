import { ConfigError } from '../config.ts'
import { Failure } from '../kernel/index.ts'
import { handleHelpFlag } from './handle-help-flag.ts'
import { invite } from './invite-command.ts'

handleHelpFlag(`npm run -s invite             creates an invitation to register an organization
npm run -s invite -- EMAIL    creates one that only this address can use

An invitation registers one organization and expires after a week. It works with REGISTRATION=invite and
REGISTRATION=open. Writes to the database of DATABASE_URL, or the one under DATA_DIR (.data), also while the service runs.`)

/** `npm run invite [-- EMAIL]`: exit code 0 created, 2 not created. */
try {
  await invite(process.env, process.argv.slice(2), (line) => process.stdout.write(`${line}\n`))
} catch (error) {
  for (const line of problemsOf(error)) process.stderr.write(`${line}\n`)
  process.exitCode = 2
}

function problemsOf(error: unknown): readonly string[] {
  if (error instanceof ConfigError) return error.problems
  if (error instanceof Failure && error.code === 'VALIDATION_ERROR') return ['EMAIL must be an e-mail address']
  return [error instanceof Error ? error.message : String(error)]
}
