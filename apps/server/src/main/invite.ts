import { handleHelpFlag } from './commands/handle-help-flag.ts'
import { runHostCommand } from './commands/run-host-command.ts'

handleHelpFlag(`npm run -s invite             creates an invitation to register an organization
npm run -s invite -- EMAIL    creates one that only this address can use

An invitation registers one organization and expires after a week. It works with REGISTRATION=invite and
REGISTRATION=open. Writes to the database of DATABASE_URL, or the one under DATA_DIR (.data); it can run beside the service.`)

/** `npm run invite [-- EMAIL]`: exit code 0 created, 2 not created. */
await runHostCommand(async (...command) => {
  const { invite } = await import('./commands/invite-command.ts')
  await invite(...command)
})
