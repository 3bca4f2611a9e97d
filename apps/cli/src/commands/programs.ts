import { fileURLToPath } from 'node:url'
import { type Definition, defineCommand } from '../define-command.ts'
import type { Definer } from '../definer.ts'
import type { Shell } from '../shell.ts'

const SERVER = new URL('../../../server/', import.meta.url)
const AGENT = new URL('../../../agent/', import.meta.url)
const MCP = new URL('../../../../packages/mcp/', import.meta.url)

const TOURS = {
  loop: new URL('tour/tour.ts', SERVER),
  treasury: new URL('tour/tour-treasury.ts', AGENT),
  ramp: new URL('tour/tour-ramp.ts', AGENT),
} as const

/** Commands that are programs of their own. They replace this process, so signals and exit codes are theirs. */
export function definePrograms({ program, shell, end }: Definer): void {
  for (const definition of [START, CUSTODY_AGENT, CHAINS, MCP_SERVER, TOUR, SIMULATE, BENCH])
    defineCommand(program, { shell, end }, definition)
}

async function become(shell: Shell, file: URL, args: readonly string[], flags: readonly string[] = []): Promise<never> {
  return await shell.become([...flags, fileURLToPath(file), ...args])
}

const START: Definition<object> = {
  usage: 'start',
  summary: 'Run the service',
  description:
    'As `npm start`: runs until Ctrl-C or SIGTERM, and prints `ready http://HOST:PORT` when it serves. Without settings it is a sandbox in .data. Exits with 1 if a setting is wrong.',
  passesOn: true,
  examples: [{ run: 'start', does: 'a sandbox on http://127.0.0.1:3000' }],
  run: async (shell, args) => await become(shell, new URL('src/main.ts', SERVER), args, ['--max-semi-space-size=8']),
}

const CUSTODY_AGENT: Definition<object> = {
  usage: 'agent [command]',
  summary: 'Run the custody agent, on a host of its own',
  description:
    'Until Ctrl-C or SIGTERM it verifies what was approved and signs it, or asks the signer that holds the keys. It has its own settings (docs/agent-settings.md). `allow-list` prints the chains, tokens and venues that it signs for. Exits with 1 if a setting is wrong.',
  arguments: { command: 'what to print instead' },
  choices: { command: ['allow-list'] },
  passesOn: true,
  examples: [{ run: 'agent', does: 'keys in AGENT_DIR, encrypted with KEYSTORE_PASSPHRASE' }],
  run: async (shell, args) => await become(shell, new URL('src/main.ts', AGENT), args),
}

const CHAINS: Definition<object> = {
  usage: 'chains',
  summary: 'Run the embedded chains for several processes',
  description:
    'Runs all four until Ctrl-C or SIGTERM, prints the JSON-RPC address of each and `ready http://127.0.0.1:PORT`, and writes DATA_DIR/chains.json. Processes with CHAINS_FILE set to that file share them. Exits with 2 if a setting is wrong.',
  printsItself: true,
  examples: [{ run: 'chains', does: 'on http://127.0.0.1:3100, or another CHAINS_PORT' }],
  run: async (shell) => await become(shell, new URL('src/main/chains.ts', SERVER), []),
}

const MCP_SERVER: Definition<object> = {
  usage: 'mcp',
  summary: 'Let an AI assistant read Weir and explain it',
  description:
    'An MCP server on standard input and output, for a service at WEIR_URL, with WEIR_API_KEY, WEIR_SERVICE_ACCOUNT_SECRET or both. It cannot sign, submit or approve; with WEIR_MCP_ALLOW_PLANS=1 and a key that cannot submit it also plans (docs/assistants.md). Exits with 1 if a setting is missing or the key does not work.',
  printsItself: true,
  examples: [{ run: 'mcp', does: 'until the client closes its input; messages for you are on stderr' }],
  run: async (shell) => await become(shell, new URL('src/main.ts', MCP), []),
}

const TOUR: Definition<object> = {
  usage: 'tour [tour]',
  summary: 'Watch the whole loop on the embedded chains',
  description:
    'A guided tour with worthless money. `loop` supplies, lets 30 days pass and withdraws with the yield, in the sandbox that runs or a temporary one. `treasury` adds buffers, the custody agent, vaults that run short and an approval, `ramp` moves money from a bank and back, both in a temporary service. Each ends with a summary to check by hand. Exits with 1 if a step fails.',
  arguments: { tour: 'which one; loop if absent' },
  choices: { tour: Object.keys(TOURS) },
  passesOn: true,
  examples: [
    { run: 'tour', does: 'less than a minute' },
    { run: 'tour treasury', does: 'with the custody agent' },
  ],
  run: async (shell, [tour = 'loop']) => await become(shell, TOURS[tour as keyof typeof TOURS], []),
}

const SIMULATE: Definition<object> = {
  usage: 'simulate [arguments...]',
  summary: 'Search for a seed that breaks a money rule',
  description:
    'Runs the engine against faulty chains, clients and crashes, on a database of its own: --seeds COUNT, --from SEED, --seed SEED [--log] to replay one, --steps COUNT, --chain evm|solana, --broken. Exits with 1 if a rule was broken, and prints the seed that shows it (docs/simulation.md).',
  arguments: { arguments: 'arguments of the simulation' },
  passesOn: true,
  examples: [
    { run: 'simulate --seeds 50', does: 'a short search' },
    { run: 'simulate --seed 4711 --log', does: 'replay one seed with everything that happened' },
  ],
  run: async (shell, args) => await become(shell, new URL('simulate/simulate.ts', SERVER), args),
}

const BENCH: Definition<object> = {
  usage: 'bench [names...]',
  summary: 'Measure the hot paths against bare baselines',
  description:
    'Measures everything, or the named benchmarks, on a database of its own: get-operation, plan-supply, confirm, workers, following-solana, lists, rebalance, neighbour, poll, year, growth, webhooks, idle. Exits with 2 if a target is missed (docs/benchmarks.md).',
  arguments: { names: 'benchmarks to run; all if absent' },
  passesOn: true,
  examples: [
    { run: 'bench', does: 'everything; takes minutes' },
    { run: 'bench plan-supply poll', does: 'only these' },
  ],
  run: async (shell, args) => await become(shell, new URL('bench/bench.ts', SERVER), args),
}
