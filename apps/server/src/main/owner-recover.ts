import { ConfigError } from '../config.ts'
import { handleHelpFlag } from './handle-help-flag.ts'
import { recoverOwnerByCommand } from './owner-recover-command.ts'

handleHelpFlag(`npm run -s owner:recover -- EMAIL    prints a one-time password for an owner who lost theirs

The password is valid for an hour and can only be used to set another one. All sessions of the owner end, the audit log
of the organization records it, and the owner approves nothing for 24 hours. Writes to the database of DATABASE_URL, or
the one under DATA_DIR (.data), also while the service runs. Exit code 0: printed; 2: not an owner, or another failure.`)

/** `npm run owner:recover -- EMAIL`: exit code 0 printed, 2 nothing changed. */
try {
  await recoverOwnerByCommand(process.env, process.argv.slice(2), (line) => process.stdout.write(`${line}\n`))
} catch (error) {
  const problems =
    error instanceof ConfigError ? error.problems : [error instanceof Error ? error.message : String(error)]
  for (const line of problems) process.stderr.write(`${line}\n`)
  process.exitCode = 2
}
