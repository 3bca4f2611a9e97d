import { handleHelpFlag } from '../src/main/commands/handle-help-flag.ts'
import { readOptions } from './options.ts'

handleHelpFlag(`npm run simulate                          1,000 seeds of 200 steps, on a database of its own
npm run simulate -- --seeds COUNT         this many seeds
npm run simulate -- --from SEED           from this seed on
npm run simulate -- --seed SEED [--log]   replays one, with everything that happened
npm run simulate -- --steps COUNT         this many steps of each
npm run simulate -- --broken              breaks each money rule, finds a seed that notices, and plays it unbroken
npm run simulate -- --broken --seeds COUNT  looks among so many seeds for the one that notices in the fewest steps

Exits with 1 if a rule was broken, and prints the seed that shows it. See docs/simulation.md.`)

/** `npm run simulate`: runs many seeds, or replays one, on a separate PostgreSQL (docs/simulation.md). */
const options = optionsGiven()
// Loaded only now: the help and a refusal get their response at once.
const { simulate } = await import('./run-simulation.ts')
process.exitCode = (await simulate(options)) ? 0 : 1

function optionsGiven() {
  try {
    return readOptions(process.argv.slice(2))
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exit(1)
  }
}
