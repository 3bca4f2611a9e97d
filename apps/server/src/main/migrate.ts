import { handleHelpFlag } from './commands/handle-help-flag.ts'
import { runHostCommand } from './commands/run-host-command.ts'

handleHelpFlag(`npm run -s migrate    brings the database of DATABASE_URL to this version, and exits

The start does the same. Run it first where many processes start at once, or where only one user may change tables.`)

/** `npm run migrate`: exit code 0 the database is of this version, 2 it is not. */
await runHostCommand(async (...command) => {
  const { migrateDatabase } = await import('./commands/migrate-command.ts')
  await migrateDatabase(...command)
})
