import { timingSafeEqual } from 'node:crypto'
import { type Clock, Failure, SANDBOX_MESSAGE_AGE_MS_MAX } from '../../kernel/index.ts'
import type { InboundMessage, ProviderEvent } from '../provider/port.ts'
import type { SandboxSecrets } from './secrets.ts'
import { snapshotFromJson, snapshotToJson } from './transfer.ts'

const HEADER = 'weir-sandbox-signature'

type MessageParts = { readonly clock: Clock; readonly secrets: Pick<SandboxSecrets, 'sign'> }

/** Writes an event as a signed message; the signature covers the sending time: `t=<unix seconds>,v1=<hmac>`. */
export function writeMessage({ clock, secrets }: MessageParts, event: ProviderEvent): InboundMessage {
  const body = Buffer.from(
    JSON.stringify(
      event.kind === 'transfer' ? { ...event, transfer: JSON.parse(snapshotToJson(event.transfer)) } : event,
    ),
  )
  const at = Math.floor(clock.now().getTime() / 1_000)
  return { headers: { [HEADER]: `t=${at},v1=${secrets.sign(`${at}.${body}`)}` }, body }
}

/** Verifies a recent message that this service signed, and returns its event. Error: UNAUTHORIZED. */
export function readMessage({ clock, secrets }: MessageParts, { headers, body }: InboundMessage): ProviderEvent {
  const match = /^t=([0-9]{1,12}),v1=([0-9a-f]{64})$/.exec(String(headers[HEADER] ?? ''))
  const [, at = '0', signature = ''] = match ?? []
  const isFresh = Math.abs(clock.now().getTime() - Number(at) * 1_000) <= SANDBOX_MESSAGE_AGE_MS_MAX
  const expected = Buffer.from(secrets.sign(`${at}.${body}`))
  const actual = Buffer.from(signature.padEnd(expected.length))
  if (!match || !isFresh || !timingSafeEqual(expected, actual)) {
    throw new Failure('UNAUTHORIZED', { message: 'The message is not signed by the banking partner.' })
  }
  const event = JSON.parse(body.toString('utf8')) as ProviderEvent
  return event.kind === 'transfer' ? { ...event, transfer: snapshotFromJson(event.transfer) } : event
}
