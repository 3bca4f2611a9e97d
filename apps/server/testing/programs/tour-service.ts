/** A tour without its steps: starts a temporary service, prints its URL and networks, and stops it. */
import { createClient, type Network } from '../../tour/client.ts'
import { startService } from '../../tour/service.ts'

const say = (line: string) => console.log(line)
const { credentials, folder, stop } = await startService(say)
try {
  const networks = await createClient(credentials, say).get<Network[]>('/v1/sandbox/networks')
  say(`served ${JSON.stringify({ folder, networks: networks.map(({ blockchain }) => blockchain) })}`)
} finally {
  await stop()
}
