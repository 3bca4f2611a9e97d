/**
 * `npm run tour`: the whole loop on every embedded chain, with the yield earned. Uses the service that `npm start`
 * runs, if it responds; otherwise starts a temporary one in a temporary folder and stops it at the end.
 */
import { handleHelpFlag } from '../src/main/commands/handle-help-flag.ts'
import { refuseArguments } from '../src/main/commands/refuse-arguments.ts'

handleHelpFlag(`npm run tour   the whole loop on every embedded chain: fund, supply, 30 days, withdraw, with the yield earned

Uses the service that runs from DATA_DIR (.data), if one answers; otherwise one of its own in a temporary folder.`)
refuseArguments('npm run tour')
// Loaded only now: the help and a refusal get their response at once.
const { tourLoop } = await import('./loop.ts')
const { runTour } = await import('./run-tour.ts')
const { findService } = await import('./service.ts')

await runTour(findService, tourLoop)
