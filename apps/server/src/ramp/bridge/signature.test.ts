import { expect, test } from 'vitest'
import { createFakeBridgeState } from '../../../testing/stand-ins/bridge/fake-bridge-state.ts'
import { ManualClock } from '../../kernel/index.ts'
import { verifySignature } from './signature.ts'

/** The example from the partner's reference (apidocs.bridge.xyz/docs/webhook-event-signature-verification). */
const PUBLISHED = {
  webhookPublicKey: `-----BEGIN PUBLIC KEY-----
MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAtqsEE4eI7EmzhcquGJXt
LX9PMK0UH6Kl1WIR21sv8HtueG8BuvvpP3MiN7ltzmIhS8KaynCjN4l+620PnXeu
xWG+CSnEdkinL9hCqbEid5vv9zl0j9LWiJx3FkKHqADU7cgm46aa8dKUdIQYF2X+
O7WmyLkC4wUM/mWhBPMsIQBznashRMZxx7XJjsVp27ACUE4eNIjEXbVYN6U8jSbU
hG++CfL8xXu+GHDqKmFE6Po6HnuURvLFVnCtE3mXXBcVFlPy+octfx8nOMLT3X8O
9UehIigJ34o2yMm/Fq3HUJzg2BsiAiGgtr0vmeoV9Q7upSNj9TuOumAzZFi4pYA+
qwIDAQAB
-----END PUBLIC KEY-----`,
  header:
    't=1705854411204,v0=jz/0dmHJ63FAzacGutrDTEoq+iSz/PHm/ugdooXDQu5NwuVIT2LmZGjsnCsBHgR9Py6OBP9zurzW4dHgygU4EDqmMPTUOvhvndYb4lWt+TY66LihaFI2whL6DAf/jb1QjYjNU0A6x9SLzC45dgE6X7zTDUM+2Z+scG/WEQf6SxQMt4E2sEipl5PqMK5lYUe3otdJV+X2c9D64bGwCEE7QSia+Vhozg8QNOQEk/rdz2IEONIg6oC43CeiN4E2kF9XLAGuy9uAHx9O9OJH5ZPLJZjyo4VcXYeWQgxaQ1gZ1Qu6hEEzgiPSff/1nou58dm4bIIazgCWli/mO0NyGcpfFw==',
  body: '{"message":"Hello World!"}',
}
const { webhookPublicKey, header, body } = PUBLISHED
const AT = 1_705_854_411_204
const read = (clock: ManualClock, text = body, signature = header) =>
  verifySignature(
    { clock, webhookPublicKey },
    { headers: { 'x-webhook-signature': signature }, body: Buffer.from(text) },
  )

test('the partner’s published example is valid for ten minutes', () => {
  const clock = new ManualClock(new Date(AT + 9 * 60_000))
  expect(() => read(clock)).not.toThrow()
  clock.advance(2 * 60_000)
  expect(() => read(clock)).toThrow('not signed')
  expect(() => read(new ManualClock(new Date(AT - 11 * 60_000)))).toThrow('not signed')
})

test('another body, time or signature, or none, is invalid', () => {
  const clock = new ManualClock(new Date(AT))
  expect(() => read(clock, '{"message":"Hello World?"}')).toThrow('not signed')
  expect(() => read(clock, body, header.replace('204', '205'))).toThrow('not signed')
  expect(() => read(clock, body, header.replace('jz/0', 'jz/1'))).toThrow('not signed')
  for (const wrong of ['', 't=1,v0=', header.replace('v0=', 'v1='), `${header},v0=AAAA`, `t=${AT},v0=AAAA`]) {
    expect(() => read(clock, body, wrong)).toThrow('not signed')
  }
  expect(() => verifySignature({ clock, webhookPublicKey }, { headers: {}, body: Buffer.from(body) })).toThrow()
})

test('the key of another endpoint is rejected', () => {
  const clock = new ManualClock(new Date(AT))
  const [ours, other] = [createFakeBridgeState(clock), createFakeBridgeState(clock)]
  const message = ours.sign({ event_id: 'wh_1' })
  expect(() => verifySignature({ clock, webhookPublicKey: ours.publicKey }, message)).not.toThrow()
  expect(() => verifySignature({ clock, webhookPublicKey: other.publicKey }, message)).toThrow('not signed')
})
