import { Webhook as StandardWebhook } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { failingTransact } from '../../../testing/index.ts'
import { openWebhookFixture, type WebhookFixture } from '../../../testing/webhook-fixture.ts'
import type { ReceivedWebhook, WebhookReceiver } from '../../../testing/webhook-receiver.ts'
import { WEBHOOK_SECRET_GRACE_MS } from '../../kernel/index.ts'
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

test('a second rotation ends the oldest secret at once', async () => {
  const second = await rotate()
  const third = await rotate()
  expect(await signedBy([third.secret, second.secret, first])).toEqual([true, true, false])
})

test('after two rotations at once both new secrets sign, whichever was first', async () => {
  const both = await Promise.all([rotate(), rotate()])
  expect(await signedBy([...both.map(({ secret }) => secret), first])).toEqual([true, true, false])
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
