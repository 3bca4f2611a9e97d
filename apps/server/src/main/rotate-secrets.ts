import { handleHelpFlag } from './handle-help-flag.ts'
import { rotateSecrets } from './rotate-secrets-command.ts'
import { runHostCommand } from './run-host-command.ts'

handleHelpFlag(`npm run -s rotate-secrets              seals every stored value under the current encryption key
npm run -s rotate-secrets -- --check   prints what each key still has, and changes nothing

Takes the keys that the service has, from the same settings. Runs next to the service and can be interrupted: run it
again. Add the new key as the second one, restart all processes, make it the first, restart, run this, then remove the
old key when nothing is left under it (docs/secrets.md). Exit code 0: done; 1: some values could not be read; 2: failed.`)

/** `npm run rotate-secrets [-- --check]`: exit code 0 done, 1 some values could not be read, 2 failed. */
await runHostCommand(async (...command) => {
  process.exitCode = (await rotateSecrets(...command)) ? 0 : 1
})
