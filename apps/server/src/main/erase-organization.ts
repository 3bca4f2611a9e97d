import { handleHelpFlag } from './commands/handle-help-flag.ts'
import { runHostCommand } from './commands/run-host-command.ts'

handleHelpFlag(`npm run -s organization:erase -- ID    destroys the personal data of a deleted organization

Names, email addresses, addresses and bank details of its members and recipients are destroyed for good; its payments,
ledger and audit log stay. Refused while the organization is not deleted, or money is in transit. Takes the settings of
the service, and runs next to it. Exit code 0: destroyed; 2: not a deleted organization, or another failure.`)

/** `npm run organization:erase -- ID`: exit code 0 destroyed, 2 not. */
await runHostCommand(async (...command) => {
  const { eraseOrganizationByCommand } = await import('./commands/erase-organization-command.ts')
  await eraseOrganizationByCommand(...command)
})
