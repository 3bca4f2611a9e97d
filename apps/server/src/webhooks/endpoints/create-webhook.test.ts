// Also tested in: surfaces/core/webhooks/webhooks.test.ts (which URLs and filters are refused, and at which field; no
// secret is stored in plain text).

import { beforeEach, expect, test } from 'vitest'
import { failingTransact } from '../../../testing/index.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { openWebhookFixture } from '../../../testing/webhooks/webhook-fixture.ts'
import { QUOTAS } from '../../kernel/index.ts'
import { type CreatedWebhook, createWebhook, type NewWebhook } from './create-webhook.ts'
import { listWebhooks } from './read-webhooks.ts'
import { deleteWebhook } from './update-webhook.ts'

const yard = useFixture(openWebhookFixture)
beforeEach(() => yard.reset())

const input = (fields: Partial<NewWebhook> = {}): NewWebhook => ({
  organizationId: yard.organizationId,
  url: 'https://receiver.example/in',
  events: ['*'],
  ...fields,
})
const create = (fields: Partial<NewWebhook> = {}) => createWebhook(yard.parts, input(fields))
const webhooks = async (organizationId = yard.organizationId) =>
  (await listWebhooks(yard.parts.db, organizationId, { limit: null, offset: 0 })).webhooks

test('a webhook starts active, and its secret is returned once', async () => {
  const { secret, ...webhook } = await create({ events: ['operation.completed', 'operation.completed'] })
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  expect(webhook).toMatchObject({ events: ['operation.completed'], description: null, status: 'active' })
  expect(await webhooks()).toEqual([webhook])
  expect((await create()).secret).not.toBe(secret)
})

test('a webhook receives the events that are emitted from now on', async () => {
  const receiver = await yard.receiver()
  await yard.emit(7, 'transaction.updated')
  await yard.deliver()
  await create({ url: receiver.url })
  await yard.emit(8, 'transaction.completed')
  await yard.deliver()
  expect(receiver.received.map(({ body }) => JSON.parse(body).event)).toEqual(['transaction.completed'])
})

test('a webhook with a wrong URL or filter is refused and not stored', async () => {
  for (const wrong of [{ url: 'ftp://receiver.example/' }, { events: [] }, { events: ['operation.unknown'] }])
    await expect(create(wrong)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  expect(await webhooks()).toEqual([])
})

test('an organization has at most 100 webhooks, however many requests come at once', async () => {
  for (let made = 2; made < QUOTAS.webhooks; made += 1) await create()
  const { id } = await create()
  await deleteWebhook(yard.parts, { organizationId: yard.organizationId, webhookId: id })
  const outcomes = await Promise.allSettled([create(), create(), create(), create()])
  const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
  expect(refused).toMatchObject([{ code: 'CONFLICT' }, { code: 'CONFLICT' }])
  expect(await webhooks()).toHaveLength(QUOTAS.webhooks)
})

test('a webhook is stored with what its caller commits, or not at all', async () => {
  const transact = failingTransact<CreatedWebhook>(yard.parts.db, 'the response was not recorded')
  await expect(createWebhook(yard.parts, input(), transact)).rejects.toThrow('not recorded')
  expect(await webhooks()).toEqual([])
})
