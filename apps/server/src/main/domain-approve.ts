import { handleHelpFlag } from './commands/handle-help-flag.ts'
import { runHostCommand } from './commands/run-host-command.ts'

handleHelpFlag(`npm run -s domain:approve -- ORGANIZATION_ID DOMAIN    records that an organization owns an email domain

For domains without public name servers, and for the sandbox; otherwise owners prove a domain with a TXT record. The
audit log of the organization records it. Writes to the database of DATABASE_URL, or the one under DATA_DIR (.data); it can run beside the service. Exit code 0: recorded; 2: another organization holds the domain, or another failure.`)

/** `npm run domain:approve -- ORGANIZATION_ID DOMAIN`: exit code 0 recorded, 2 nothing changed. */
await runHostCommand(async (...command) => {
  const { approveDomainByCommand } = await import('./commands/domain-approve-command.ts')
  await approveDomainByCommand(...command)
})
