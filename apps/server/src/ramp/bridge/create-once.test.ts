import { expect, test } from 'vitest'
import {
  type BridgeClient,
  type BridgeFixture,
  startBridgeFixture,
} from '../../../testing/stand-ins/bridge/bridge-fixture.ts'
import type { BridgeFault } from '../../../testing/stand-ins/bridge/fake-bridge.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { createRecipient } from '../customers/create-recipient.ts'
import { startKyb } from '../onboarding/start-kyb.ts'

const fixture = useFixture(() => startBridgeFixture({ timeoutMs: 1_500 }))

const AWAY = { code: 'RAMP_UNAVAILABLE' }
/** The partner's objects for the customer of an organization. */
function at({ bridge }: BridgeFixture, client: BridgeClient) {
  const link = bridge.links.find(({ full_name }) => full_name === `Basalt ${client.organizationId}`) ?? bridge.links[0]!
  const mine = (list: readonly Record<string, unknown>[]) =>
    list.filter(({ customer_id }) => customer_id === link.customer_id).length
  return {
    virtualAccounts: mine(bridge.virtualAccounts),
    externalAccounts: mine(bridge.externalAccounts),
    liquidationAddresses: mine(bridge.liquidationAddresses),
  }
}
const CALLS = ['POST /customers/', 'GET /kyc_links/'] as const
const FAULTS: readonly BridgeFault[] = ['lose the answer', 'hang', 429, 500, 503]

test.each(FAULTS)(
  'after «%s» a repeated request returns the existing bank account, or opens one, once',
  async (fault) => {
    const client = await fixture.organization()
    for (const call of CALLS) fixture.bridge.fail(call, fault)
    // A read is retried once automatically; a call that creates something is not.
    await expect(client.onramp()).rejects.toMatchObject(AWAY)
    const account = await client.onramp()
    expect(account.providerReference).toBe(fixture.bridge.virtualAccounts[0]!.id)
    expect(at(fixture, client)).toMatchObject({ virtualAccounts: 1 })
    // Another one, requested deliberately.
    const second = await client.onramp()
    expect(second.providerReference).not.toBe(account.providerReference)
    expect(at(fixture, client)).toMatchObject({ virtualAccounts: 2 })
  },
)

test('a payout account is opened once, with one bank account, even if the response of every call is lost once', async () => {
  const client = await fixture.organization()
  for (let call = 0; call < 2; call += 1) {
    fixture.bridge.fail('POST /customers/', 'lose the answer')
    await expect(client.offramp()).rejects.toMatchObject(AWAY)
  }
  const account = await client.offramp()
  expect(account.providerReference).toBe(fixture.bridge.liquidationAddresses[0]!.id)
  expect(at(fixture, client)).toEqual({ virtualAccounts: 0, externalAccounts: 1, liquidationAddresses: 1 })
})

test('if a process is killed after the partner responded, the next process returns the created account', async () => {
  const client = await fixture.organization()
  // The partner created it and the account was never stored, as after a crash in between.
  const broken = {
    ...fixture.parts,
    sealer: {
      ...fixture.parts.sealer,
      seal: () => {
        throw new Error('killed')
      },
    },
  }
  await expect(client.onramp(broken)).rejects.toThrow('killed')
  // A crashed process looks like one that is about to store, so others wait for a minute.
  await expect(client.onramp(fixture.restart())).rejects.toMatchObject(AWAY)
  fixture.clock.advance(60_001)
  const account = await client.onramp(fixture.restart())
  expect(account.providerReference).toBe(fixture.bridge.virtualAccounts[0]!.id)
  expect(at(fixture, client)).toMatchObject({ virtualAccounts: 1 })
})

test('after a rail that the account does not have, the corrected request returns the same account at once', async () => {
  const client = await fixture.organization()
  await expect(client.onramp(fixture.parts, { rail: 'swift' })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  const account = await client.onramp()
  expect(account.providerReference).toBe(fixture.bridge.virtualAccounts[0]!.id)
  expect(at(fixture, client)).toMatchObject({ virtualAccounts: 1 })
})

test('a retry repeats the call with its key; if the partner no longer knows the key, it looks and finds the account', async () => {
  const client = await fixture.organization()
  const before = fixture.bridge.posts.length
  fixture.bridge.fail('POST /customers/', 500)
  fixture.bridge.fail('GET /customers/', 500)
  fixture.bridge.fail('GET /customers/', 500)
  await expect(client.onramp()).rejects.toMatchObject(AWAY)
  await expect(client.onramp()).rejects.toMatchObject(AWAY)
  expect(fixture.bridge.posts).toHaveLength(before)
  fixture.bridge.fail('POST /customers/', 'lose the answer')
  await expect(client.onramp()).rejects.toMatchObject(AWAY)
  const [first] = fixture.bridge.posts.slice(before)
  fixture.clock.advance(25 * 3_600_000)
  await client.onramp()
  // It already existed, so no second one was requested.
  expect(fixture.bridge.posts.slice(before)).toEqual([first])
  expect(at(fixture, client)).toMatchObject({ virtualAccounts: 1 })
})

test('a call that never arrived is repeated a day later with another key', async () => {
  const client = await fixture.organization()
  fixture.bridge.fail('POST /customers/', 'hang')
  await expect(client.onramp()).rejects.toMatchObject(AWAY)
  fixture.clock.advance(25 * 3_600_000)
  await client.onramp()
  expect(at(fixture, client)).toMatchObject({ virtualAccounts: 1 })
})

test.each(['lose the answer', 500] as const)(
  'after «%s» a repeated start returns the same verification',
  async (fault) => {
    const client = await fixture.organization(false)
    const links = fixture.bridge.links.length
    fixture.bridge.fail('POST /kyc_links', fault)
    await expect(startKyb(fixture.parts, { organizationId: client.organizationId })).rejects.toMatchObject(AWAY)
    fixture.clock.advance(25 * 3_600_000)
    const { kybReference } = await startKyb(fixture.restart(), { organizationId: client.organizationId })
    expect(fixture.bridge.links).toHaveLength(links + 1)
    expect(kybReference).toBe(fixture.bridge.links[0]!.id)
  },
)

test('a recipient whose first start lost its response gets the same link', async () => {
  const { organizationId } = await fixture.organization()
  const links = fixture.bridge.links.length
  const recipient = () =>
    createRecipient(fixture.parts, {
      organizationId,
      name: 'Grace',
      type: 'individual',
      externalId: null,
      address: null,
    })
  fixture.bridge.fail('POST /kyc_links', 'lose the answer')
  await expect(recipient()).rejects.toMatchObject(AWAY)
  await recipient()
  expect(fixture.bridge.links).toHaveLength(links + 1)
})

test('one of two identical concurrent requests creates the account, and the other is rejected as retryable', async () => {
  const client = await fixture.organization()
  const outcomes = await Promise.allSettled([client.onramp(), client.onramp(fixture.restart())])
  const made = outcomes.filter(({ status }) => status === 'fulfilled').length
  expect(made).toBeGreaterThan(0)
  expect(at(fixture, client)).toMatchObject({ virtualAccounts: made })
})

test('every POST carries a key, and no two intents share one', async () => {
  const keys = new Map<string, string>()
  for (const { path, key } of fixture.bridge.posts) {
    expect(key).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(keys.get(key) ?? path).toBe(path)
    keys.set(key, path)
  }
})
