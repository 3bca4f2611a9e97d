import { handleHelpFlag } from './commands/handle-help-flag.ts'
import { runHostCommand } from './commands/run-host-command.ts'

handleHelpFlag(`npm run -s owner:recover -- EMAIL                          prints a one-time password for an owner who lost theirs
npm run -s owner:recover -- EMAIL --reset-change-policy    also lifts the rules for changes of the configuration

The password is valid for an hour and can only be used to set another one. All sessions of the owner end, the audit log
of the organization records it, and the owner approves nothing for 24 hours. Writes to the database of DATABASE_URL, or the one under DATA_DIR (.data); it can run beside the service. Exit code 0: printed; 2: not an owner, or another failure.`)

/** `npm run owner:recover -- EMAIL`: exit code 0 printed, 2 nothing changed. */
await runHostCommand(async (...command) => {
  const { recoverOwnerByCommand } = await import('./commands/owner-recover-command.ts')
  await recoverOwnerByCommand(...command)
})
