import { handleHelpFlag } from '../src/main/commands/handle-help-flag.ts'
import { readOptions } from './options.ts'

handleHelpFlag(`npm run cluster                    a deployment on this machine: Patroni, etcd, HAProxy and two PostgreSQL servers of
                                   Debian, the embedded chains, two API and two worker processes; each fault in turn
npm run cluster -- --only WORD     faults whose name contains WORD; may be repeated
npm run cluster -- --list          the faults
npm run cluster -- --keep          leaves the folder with the logs

Installs the missing packages of Debian, if root runs it. Takes about a minute for each fault. Exits with 1 if an
acknowledged write was lost, an effect happened twice, the ledger does not match the chains, writes went on more than
15 s after the primary was killed, or settlement more than 30 s after any fault (and after the return of a part that
exists once); with 77 where the programs cannot be had. See docs/high-availability.md.`)

/** `npm run cluster`: the rehearsal of a deployment that loses each of its parts in turn. */
const options = optionsGiven()
// Loaded only now: the help and a refusal get their response at once.
const { rehearse } = await import('./rehearse.ts')
process.exitCode = await rehearse(options, (line) => console.log(line))

function optionsGiven() {
  try {
    return readOptions(process.argv.slice(2))
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exit(1)
  }
}
