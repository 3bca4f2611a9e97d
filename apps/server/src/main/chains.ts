import { handleHelpFlag } from './commands/handle-help-flag.ts'
import { refuseArguments } from './commands/refuse-arguments.ts'
import { runHostCommand } from './commands/run-host-command.ts'

handleHelpFlag(`npm run chains    runs the embedded chains alone, for several processes of a sandbox, until Ctrl-C or SIGTERM

It prints the JSON-RPC address of each chain, writes DATA_DIR/chains.json (.data), and prints "ready http://..." at the end.
Start the processes of the service with CHAINS_FILE set to that file. CHAINS_PORT (3100) is the port on 127.0.0.1: with
the same port, processes resume after a restart of the chains.`)
refuseArguments('npm run chains')

/** `npm run chains`: exit code 0 ended by a signal, 2 not started, or a chain exited. */
await runHostCommand(async (env, _args, say) => {
  const { runChains } = await import('./commands/chains-command.ts')
  await runChains(env, say)
})
