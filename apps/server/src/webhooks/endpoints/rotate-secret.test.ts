import { Webhook as StandardWebhook } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { failingTransact } from '../../../testing/index.ts'
import { openWebhookFixture, type WebhookFixture } from '../../../testing/webhooks/webhook-fixture.ts'
import type { ReceivedWebhook, WebhookReceiver } from '../../../testing/webhooks/webhook-receiver.ts'
import { WEBHOOK_OLD_SECRETS_MAX, WEBHOOK_SECRET_GRACE_MS } from '../../kernel/index.ts'
import { type RotatedSecret, rotateSecret } from './rotate-secret.ts'
import { deleteWebhook } from './update-webhook.ts'

let yard: WebhookFixture
let receiver: WebhookReceiver
let named: { organizationId: number; webhookId: number }
let first: string
beforeAll(async () => {
  yard = await openWebhookFixture()
})
afterAll(() => yard?.close())
beforeEach(async () => {
  await yard.reset()
  receiver = await yard.receiver()
  const { id, secret } = await yard.webhook(receiver.url)
  named = { organizationId: yard.organizationId, webhookId: id }
  first = secret
})

const at = (time: Date) => yard.parts.clock.advance(time.getTime() - yard.parts.clock.now().getTime())
const rotate = (of = named) => rotateSecret(yard.parts, of)

/** Delivers an event and says which of the secrets signed it. */
async function signedBy(secrets: readonly string[]): Promise<boolean[]> {
  await yard.emit(7, 'transaction.updated')
  await yard.deliver()
  const received = receiver.received.pop()!
  const signatures = String(received.headers['webhook-signature']).split(' ')
  return secrets.map((secret) => signatures.includes(signatureBy(secret, received)))
}

function signatureBy(secret: string, { headers, body }: ReceivedWebhook): string {
  const at = new Date(Number(headers['webhook-timestamp']) * 1_000)
  return new StandardWebhook(secret).sign(String(headers['webhook-id']), at, body)
}

test('for 24 hours after a rotation the old secret signs as well', async () => {
  const { id, secret, oldSecretValidUntil } = await rotate()
  expect(id).toBe(named.webhookId)
  expect(secret).not.toBe(first)
  expect(oldSecretValidUntil.getTime() - yard.parts.clock.now().getTime()).toBe(WEBHOOK_SECRET_GRACE_MS)
  yard.parts.clock.advance(WEBHOOK_SECRET_GRACE_MS - 1)
  expect(await signedBy([secret, first])).toEqual([true, true])
  yard.parts.clock.advance(1)
  expect(await signedBy([secret, first])).toEqual([true, false])
})

test('each old secret signs until the time that its rotation named, however often it is rotated', async () => {
  const second = await rotate()
  yard.parts.clock.advance(1_000)
  const third = await rotate()
  yard.parts.clock.advance(1_000)
  const fourth = await rotate()
  const all = [fourth, third, second].map(({ secret }) => secret).concat(first)
  at(new Date(second.oldSecretValidUntil.getTime() - 1))
  expect(await signedBy(all)).toEqual([true, true, true, true])
  at(second.oldSecretValidUntil)
  expect(await signedBy(all)).toEqual([true, true, true, false])
  at(third.oldSecretValidUntil)
  expect(await signedBy(all)).toEqual([true, true, false, false])
  at(fourth.oldSecretValidUntil)
  expect(await signedBy(all)).toEqual([true, false, false, false])
})

test('no more old secrets sign than the limit, and the refusal says when one ends', async () => {
  const rotations = []
  for (let n = 0; n < WEBHOOK_OLD_SECRETS_MAX; n += 1) {
    rotations.push(await rotate())
    yard.parts.clock.advance(1_000)
  }
  const until = rotations[0]!.oldSecretValidUntil
  await expect(rotate()).rejects.toMatchObject({
    code: 'CONFLICT',
    details: { reason: 'old_secrets_work', until: until.toISOString() },
  })
  expect(await signedBy([...rotations.map(({ secret }) => secret), first])).not.toContain(false)
  at(until)
  const last = await rotate()
  expect(await signedBy([last.secret, first])).toEqual([true, false])
  expect(await yard.parts.db.selectFrom('webhook_old_secrets').select('id').execute()).toHaveLength(
    WEBHOOK_OLD_SECRETS_MAX - 1,
  )
})

test('a damaged old secret does not sign, and stops nothing', async () => {
  await rotate()
  const last = await rotate()
  await yard.parts.db
    .updateTable('webhook_old_secrets')
    .set({ secret: Buffer.alloc(40) })
    .execute()
  expect(await signedBy([last.secret, first])).toEqual([true, false])
})

test('two rotations at once keep the first secret, and both new ones sign', async () => {
  const both = await Promise.all([rotate(), rotate()])
  expect(await signedBy([...both.map(({ secret }) => secret), first])).toEqual([true, true, true])
})

test('the old secrets of a deleted webhook are destroyed', async () => {
  await rotate()
  await rotate()
  await deleteWebhook(yard.parts, named)
  expect(await yard.parts.db.selectFrom('webhook_old_secrets').select('id').execute()).toEqual([])
})

test('a webhook of another organization, or a deleted one, has no secret to rotate', async () => {
  const stranger = { ...named, organizationId: yard.organizationId + 1 }
  await expect(rotate(stranger)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect(await signedBy([first])).toEqual([true])
  await deleteWebhook(yard.parts, named)
  await expect(rotate()).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

test('a secret rotates with what its caller commits, or not at all', async () => {
  const transact = failingTransact<RotatedSecret>(yard.parts.db, 'the response was not recorded')
  await expect(rotateSecret(yard.parts, named, transact)).rejects.toThrow('not recorded')
  expect(await signedBy([first])).toEqual([true])
})
