import { describe, expect, test } from 'vitest'
import { until } from '../../../server/testing/until.ts'
import { startFakeServer } from '../../testing/fake-server.ts'
import { startHostileNode } from '../../testing/hostile-node.ts'
import { nextId, STRANGER, supplyOf } from '../../testing/hostile-work.ts'
import { SIGNER_SECRET } from '../../testing/hostile-world.ts'
import { startReferenceSigner } from '../../testing/reference-signer.ts'
import { HELD, refused, SENT, useHostileWorlds } from '../../testing/use-hostile-worlds.ts'

const worlds = useHostileWorlds()

describe('responses of a hostile service', () => {
  const RESPONSES: readonly [
    tried: string,
    reply: { status: number; body: string; headers?: Record<string, string> },
  ][] = [
    ['an endless response', { status: 200, body: 'x'.repeat(3_000_000) }],
    ['work of another form', { status: 200, body: '{"data":{"transaction":5}}' }],
    ['no work at all', { status: 200, body: '{}' }],
    ['text', { status: 200, body: 'ok' }],
    ['deep nesting', { status: 200, body: `${'['.repeat(100_000)}` }],
    ['a refusal without a form', { status: 500, body: '<html>' }],
  ]

  test.each(RESPONSES)('%s harms nothing, and the next work is done', async (_tried, reply) => {
    const { issue, node, service, agent } = await worlds.world()
    service.nextReply = reply
    await until(() => service.nextReply === undefined)
    expect((await fetch(`${agent.statusUrl}/health`)).status).toBe(200)
    expect(node.sent).toEqual([])
    expect(await issue(supplyOf(worlds.me, 0))).toEqual([SENT])
  })

  test.each([
    ['a lease until the year 9999', { leaseExpiresAt: '9999-01-01T00:00:00Z' }],
    ['a lease at no time', { claimedAt: 'now' }],
    ['an id that is text', { operationId: '1' }],
    ['endless bytes', { unsignedTx: `0x${'0'.repeat(50_000)}` }],
  ])('%s is not worked on', async (_tried, more) => {
    const { issue, node, service } = await worlds.world()
    service.transactions.push(supplyOf(worlds.me, 0, { more }))
    await until(() => service.transactions.length === 0)
    expect(await issue(supplyOf(worlds.me, 0))).toEqual([SENT])
    expect(node.sent).toHaveLength(1)
  })

  test('a redirect is not followed, so the API key goes nowhere else', async () => {
    let strangers = 0
    const elsewhere = await startFakeServer(() => {
      strangers += 1
      return { status: 200, body: '{}' }
    })
    const { service, issue } = await worlds.world()
    service.nextReply = { status: 307, body: '', headers: { location: `${elsewhere.url}/api/agent/transactions/poll` } }
    await until(() => service.nextReply === undefined)
    expect(await issue(supplyOf(worlds.me, 0))).toEqual([SENT])
    expect(strangers).toBe(0)
    await elsewhere.close()
  })
})

describe('actions of a hostile service', () => {
  const CHALLENGE = `Weir: this key belongs to a new wallet.\nOrganization 1, action ACTION, polygon\nNonce ${'0'.repeat(64)}`

  test.each([
    ['a text of the attacker', 'I owe Mallory everything'],
    ['a challenge of another action', CHALLENGE.replace('ACTION', '999')],
    ['a challenge for another chain', CHALLENGE.replace('polygon', 'base')],
    ['a challenge with a text behind it', `${CHALLENGE}\nand I owe Mallory everything`],
    ['a challenge that begins as a transaction', `\x02${CHALLENGE}`],
  ])('a new key does not sign %s', async (_tried, challenge) => {
    const { createWallet } = await worlds.world()
    expect(await createWallet('polygon', challenge)).not.toHaveProperty('signature')
  })

  test('a wallet under an address that the agent did not create gets no signature', async () => {
    const { createWallet, issue, node } = await worlds.world()
    expect(await createWallet('polygon', CHALLENGE)).toMatchObject({ signature: expect.stringMatching(/^0x/) })
    expect(await issue(supplyOf(STRANGER, 0))).toEqual(refused('UNKNOWN_WALLET'))
    expect(node.sent).toEqual([])
  })

  test('an action of another kind is refused', async () => {
    const { service } = await worlds.world()
    service.actions.push({
      id: 5,
      type: 'SIGN_MESSAGE',
      payload: { blockchain: 'polygon' },
      leaseExpiresAt: '2030-01-01',
    })
    const report = await until(() => service.reports[0])
    expect(report.body).toMatchObject({
      status: 'FAILED',
      error: 'this agent does not know the action SIGN_MESSAGE',
    })
  })
})

describe('hostile endpoints', () => {
  test('an endpoint of another chain stops the start', async () => {
    const hostile = await worlds.world()
    hostile.node.lies.eth_chainId = '0x1'
    await expect(hostile.restart()).rejects.toThrow('serves chain 1, but the list says 31338')
  })

  test('an endpoint that calls landed bytes dead is contradicted by another one', async () => {
    const honest = await startHostileNode()
    const hostile = await worlds.world()
    Object.assign(hostile.settings, { POLYGON_RPC_URL: `${hostile.node.url},${honest.url}` })
    await hostile.restart()
    const id = nextId()
    expect(await hostile.issue(supplyOf(worlds.me, 0, { id }))).toEqual([SENT])
    Object.assign(hostile.node.lies, { eth_getTransactionByHash: null, eth_getTransactionCount: '0xff' })
    expect(await hostile.issue(supplyOf(worlds.me, 1, { id }))).toEqual(HELD)
    expect(hostile.node.sent).toHaveLength(1)
    await honest.close()
  })

  test('an endless response of an endpoint leaves the work to its lease', async () => {
    const { issue, node } = await worlds.world()
    node.lies.eth_getBlockByNumber = 'x'.repeat(5_000_000)
    expect(await issue(supplyOf(worlds.me, 0))).toEqual(HELD)
    expect(node.sent).toEqual([])
    delete node.lies.eth_getBlockByNumber
    expect(await issue(supplyOf(worlds.me, 0))).toEqual([SENT])
  })
})

describe('a hostile signer', () => {
  test.each([
    ['a signature by another key', () => Buffer.alloc(64, 7).toString('base64')],
    ['a short signature', () => Buffer.alloc(3).toString('base64')],
    ['no signature', () => undefined],
    ['an endless one', () => 'A'.repeat(100_000)],
  ])('%s is discarded, and nothing is sent', async (_tried, signature) => {
    const hostile = await startReferenceSigner(SIGNER_SECRET)
    const { issue, node } = await worlds.world({ SIGNER_URL: hostile.url })
    hostile.always = { status: 200, body: { found: true, signature: signature() } }
    expect(await issue(supplyOf(worlds.me, 0))).toEqual(HELD)
    expect(node.sent).toEqual([])
    await hostile.close()
  })

  test('a response of somebody who does not know the secret is discarded', async () => {
    const hostile = await startReferenceSigner(SIGNER_SECRET)
    const { issue, node } = await worlds.world({ SIGNER_URL: hostile.url })
    hostile.always = { status: 200, body: { found: true } }
    hostile.secret = 'another secret of more than thirty-two'
    expect(await issue(supplyOf(worlds.me, 0))).toEqual(HELD)
    expect(node.sent).toEqual([])
    await hostile.close()
  })
})
