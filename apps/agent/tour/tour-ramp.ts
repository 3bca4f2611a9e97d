/**
 * `npm run tour:ramp`: verification, a recipient, 50,000 USD that come in by bank and arrive as tokens, a buffer that
 * deploys them, 30 days of yield, and an off-ramp of the proceeds. Prints each webhook when it is verified. Uses a
 * temporary service in a temporary folder.
 */
import { handleHelpFlag } from '../../server/src/main/handle-help-flag.ts'
import { refuseArguments } from '../../server/src/main/refuse-arguments.ts'
import type { Network } from '../../server/tour/client.ts'
import type { WebhookEvent } from '../../server/tour/webhook-receiver.ts'

handleHelpFlag(`npm run tour:ramp   from bank to bank: verification, 50,000 USD that come in, 30 days of yield, and a payout

On a service of its own in a temporary folder; see docs/ramp.md.`)
refuseArguments('npm run tour:ramp')
// Loaded only now: the help and a refusal get their response at once.
const { createClient } = await import('../../server/tour/client.ts')
const { startService } = await import('../../server/tour/service.ts')
const { startWebhookReceiver } = await import('../../server/tour/webhook-receiver.ts')
const { createCustody } = await import('./custody.ts')
const { logIn } = await import('./people.ts')
const { runRamp } = await import('./ramp.ts')
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
