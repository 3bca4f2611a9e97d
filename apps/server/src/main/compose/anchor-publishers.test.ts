import { Webhook as Verifier } from 'standardwebhooks'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { useAuditLog } from '../../../testing/identity/use-audit-log.ts'
import { startWebhookReceiver, type WebhookReceiver } from '../../../testing/webhooks/webhook-receiver.ts'
import { anchorAuditHeads, connectAnchors, readAnchorLines } from '../../identity/index.ts'
import { silentLog, systemClock, systemRandomSource } from '../../kernel/index.ts'
import { anchorPublishers } from './anchor-publishers.ts'

const audit = useAuditLog()
const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const HOUR = 3_600_000
let receiver: WebhookReceiver
beforeEach(async () => {
  receiver = await startWebhookReceiver()
})
afterEach(async () => {
  await receiver?.close()
  await audit.parts.db.updateTable('audit_anchors').set({ published_at: new Date() }).execute()
})

/** One round of anchoring to a webhook. Returns what it warned of. */
async function anchor(url = `${receiver.url}/anchors`, allowLocal = true): Promise<string[]> {
  const warned: string[] = []
  const log = {
    ...silentLog,
    warn: ({ err }: { err: Error }) => warned.push(err.message),
  } as unknown as typeof silentLog
  const sent = { random: systemRandomSource, clock: systemClock, log, rules: { allowLocal, allowed: [] } }
  const publishers = anchorPublishers({ places: [{ kind: 'webhook', url }], secret, intervalMs: HOUR }, sent)
  await anchorAuditHeads({ ...audit.parts, log, publishers }, HOUR)
  return warned
}

async function writeLater(): Promise<void> {
  audit.parts.clock.advance(HOUR)
  await audit.write()
}

test('a receiver gets each anchor once, signed, and can verify the log with what it kept', async () => {
  await writeLater()
  expect(await anchor()).toEqual([])
  await writeLater()
  expect(await anchor()).toEqual([])
  const bodies = receiver.received.map(({ body, headers }) => {
    const verifier = new Verifier(secret)
    expect(() => verifier.verify(body, headers as Record<string, string>)).not.toThrow()
    expect(() => verifier.verify(body.replace('"id"', '"ID"'), headers as Record<string, string>)).toThrow()
    const another = new Verifier(Buffer.alloc(32, 8).toString('base64'))
    expect(() => another.verify(body, headers as Record<string, string>)).toThrow()
    expect(headers['webhook-id']).toBe(`anchor_${JSON.parse(body).id}`)
    return body
  })
  const { anchors, checkpoints } = await connectAnchors([await readAnchorLines(bodies.join('\n'))])
  expect(anchors).toBe(2)
  expect(checkpoints).toContainEqual({ organizationId: audit.organizationId, entryId: 2, hash: expect.any(String) })
})

test.each([500, 404, 302, 301] as const)(
  'an anchor that a receiver refuses with %i is sent again, unchanged',
  async (status) => {
    await writeLater()
    const elsewhere = await startWebhookReceiver()
    receiver.answer = () => status
    const reason = status < 400 ? 'Redirects are not followed.' : `The response status was ${status}.`
    expect(await anchor()).toEqual([reason])
    receiver.answer = () => 204
    expect(await anchor()).toEqual([])
    expect(await anchor()).toEqual([])
    const [refused, accepted, ...others] = receiver.received
    expect(others).toEqual([])
    expect(accepted!.body).toBe(refused!.body)
    expect(accepted!.headers['webhook-id']).toBe(refused!.headers['webhook-id'])
    expect(elsewhere.received).toEqual([])
    await elsewhere.close()
  },
)

test('an anchor waits for a receiver that is away', async () => {
  await writeLater()
  const away = await startWebhookReceiver()
  await away.close()
  expect(await anchor(away.url)).toEqual([expect.stringMatching(/refused/i)])
  await writeLater()
  expect(await anchor()).toEqual([])
  expect(receiver.received).toHaveLength(2)
  expect((await readAnchorLines(receiver.received.map(({ body }) => body).join('\n'))).anchors).toHaveLength(2)
})

test('the guard keeps anchors out of private networks that the operator did not list', async () => {
  await writeLater()
  expect(await anchor(undefined, false)).toHaveLength(1)
  expect(receiver.received).toEqual([])
})
