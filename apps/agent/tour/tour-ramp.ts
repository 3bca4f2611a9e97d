/**
 * `npm run tour:ramp`: verification, a recipient, 50,000 USD that come in by bank and arrive as tokens, a buffer that
 * deploys them, 30 days of yield, and an off-ramp of the proceeds. Prints each webhook when it is verified. Uses a
 * temporary service in a temporary folder.
 */
import { handleHelpFlag } from '../../server/src/main/commands/handle-help-flag.ts'
import { refuseArguments } from '../../server/src/main/commands/refuse-arguments.ts'

handleHelpFlag(`npm run tour:ramp   from bank to bank: verification, 50,000 USD that come in, 30 days of yield, and a payout

On a service of its own in a temporary folder; see docs/ramp.md.`)
refuseArguments('npm run tour:ramp')
// Loaded only now: the help and a refusal get their response at once.
const { runTour } = await import('../../server/tour/run-tour.ts')
const { startService } = await import('../../server/tour/service.ts')
const { tourRamp } = await import('./ramp.ts')

await runTour(startService, tourRamp)
