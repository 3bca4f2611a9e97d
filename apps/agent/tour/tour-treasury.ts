/**
 * `npm run tour:treasury`: wallets with a buffer on every embedded chain, the real agent process, 30 days of yield, a
 * raised buffer that two vaults fill together, an approval by policy, and the audit log verified. Uses a temporary
 * service in a temporary folder.
 */
import { handleHelpFlag } from '../../server/src/main/commands/handle-help-flag.ts'
import { refuseArguments } from '../../server/src/main/commands/refuse-arguments.ts'

handleHelpFlag(`npm run tour:treasury   wallets with a buffer on every embedded chain, the real agent, 30 days of yield, an approval

On a service of its own in a temporary folder; see docs/treasury.md.`)
refuseArguments('npm run tour:treasury')
// Loaded only now: the help and a refusal get their response at once.
const { runTour } = await import('../../server/tour/run-tour.ts')
const { startService } = await import('../../server/tour/service.ts')
const { tourTreasury } = await import('./treasury.ts')

await runTour(startService, tourTreasury)
