/**
 * `npm run tour`: the whole loop on every embedded chain, with the yield earned. Uses the service that `npm start`
 * runs, if it responds; otherwise starts a temporary one in a temporary folder and stops it at the end.
 */
import { handleHelpFlag } from '../src/main/handle-help-flag.ts'
import { refuseArguments } from '../src/main/refuse-arguments.ts'
import type { Network } from './client.ts'

handleHelpFlag(`npm run tour   the whole loop on every embedded chain: fund, supply, 30 days, withdraw, with the yield earned

Uses the service that runs from DATA_DIR (.data), if one answers; otherwise one of its own in a temporary folder.`)
refuseArguments('npm run tour')
// Loaded only now: the help and a refusal get their response at once.
const { createClient } = await import('./client.ts')
const { runLoop } = await import('./loop.ts')
const { findService } = await import('./service.ts')
const say = (line: string) => console.log(line)

const service = await findService(say)
try {
  const client = createClient(service.credentials, say)
  const networks = await client.get<Network[]>('/v1/sandbox/networks')
  await runLoop(client, networks, say)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  await service.stop()
}
