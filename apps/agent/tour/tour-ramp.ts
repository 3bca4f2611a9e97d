/**
 * `npm run tour:ramp`: verification, a recipient, 50,000 USD that come in by bank and arrive as tokens, a buffer that
 * deploys them, 30 days of yield, and an off-ramp of the proceeds. Prints each webhook when it is verified. Uses a
 * temporary service in a temporary folder.
 */
import { handleHelpFlag } from '../../server/src/main/handle-help-flag.ts'
import { refuseArguments } from '../../server/src/main/refuse-arguments.ts'
import { createClient, type Network } from '../../server/tour/client.ts'
import { startService } from '../../server/tour/service.ts'
import { startWebhookReceiver, type WebhookEvent } from '../../server/tour/webhook-receiver.ts'
import { createCustody } from './custody.ts'
import { logIn } from './people.ts'
import { runRamp } from './ramp.ts'

handleHelpFlag(`npm run tour:ramp   from bank to bank: verification, 50,000 USD that come in, 30 days of yield, and a payout

On a service of its own in a temporary folder; see docs/ramp.md.`)
refuseArguments('npm run tour:ramp')
const say = (line: string) => console.log(line)

function sayEvent({ event, data }: WebhookEvent): void {
  const { status, name } = data
  say(
    `   webhook   ${event}${typeof status === 'string' ? ` ${status}` : ''}${typeof name === 'string' ? ` ${name}` : ''}`,
  )
}

const service = await startService(say)
const sink = await startWebhookReceiver(sayEvent)
try {
  const { credentials, folder } = service
  const client = createClient(credentials, say)
  const people = await logIn(credentials)
  const { secret } = await people.post<{ secret: string }>('/api/core/webhooks', { url: sink.url, events: ['*'] })
  sink.setSecret(secret)
  const networks = await client.get<Network[]>('/v1/sandbox/networks')
  const network = networks.find(({ blockchain }) => blockchain === 'polygon')!
  const custody = await createCustody(credentials, people, folder)
  await runRamp({ people, client, custody, network, say })
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  await service.stop()
  await sink.stop()
}
