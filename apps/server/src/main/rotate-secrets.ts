import { handleHelpFlag } from './commands/handle-help-flag.ts'
import { runHostCommand } from './commands/run-host-command.ts'

handleHelpFlag(`npm run -s rotate-secrets                     seals every stored value under the current encryption key
npm run -s rotate-secrets -- --check          prints what each key still has, and changes nothing
npm run -s rotate-secrets -- --new-data-key   stores another data key of AWS KMS, which only opens values
npm run -s rotate-secrets -- --use-data-key   makes it the current one

Takes the keys that the service has, from the same settings. Runs next to the service and can be interrupted: run it
again. Add the new key as the second one, restart all processes, make it the first, restart, run this, then remove the
old key when nothing is left under it (docs/secrets.md). Exit code 0: done; 1: some values could not be
read, or with --check need a key that is missing; 2: failed.`)

/** `npm run rotate-secrets [-- OPTION]`: exit code 0 done, 1 some values cannot be read, 2 failed. */
await runHostCommand(async (...command) => {
  const { rotateSecrets } = await import('./commands/rotate-secrets-command.ts')
  process.exitCode = (await rotateSecrets(...command)).isWhole ? 0 : 1
})
