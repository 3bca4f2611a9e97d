import { copyFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type ApprovalContent, allowListJson, approvalChallenge, sandboxAllowList } from '@weir/verify'
import { serializeTransaction } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { evmBytes } from '../../../packages/verify/src/test-bytes.ts'
import { until } from '../../server/testing/until.ts'
import { startFakeServer } from '../testing/fake-server.ts'
import { startHostileNode } from '../testing/hostile-node.ts'
import { type SolanaWorkOptions, solanaSupplyOf, transferOfSol } from '../testing/hostile-solana-work.ts'
import {
  type Address,
  calls,
  everythingOf,
  nextId,
  POOL,
  resetOf,
  STRANGER,
  supplyOf,
  USDC,
  VAULT,
  type WorkOptions,
  workOf,
} from '../testing/hostile-work.ts'
import { type HostileWorld, SIGNER_SECRET, startHostileWorld } from '../testing/hostile-world.ts'
import { createPasskey, ORIGIN, RELYING_PARTY } from '../testing/passkey.ts'
import { type ReferenceSigner, startReferenceSigner } from '../testing/reference-signer.ts'

const AMOUNT = 50_000_000n
const DAY_MS = 86_400_000
const STRANGER_KEY = 'GHtXQBsoZHVnNFa9YevAzFr17DJjgHXk3ycTKD5xD3Zi'
let signer: ReferenceSigner
let me: Address
const worlds: HostileWorld[] = []

async function world(settings: Readonly<Record<string, string | object>> = {}): Promise<HostileWorld> {
  const started = await startHostileWorld(signer.url, settings)
  worlds.push(started)
  return started
}

beforeAll(async () => {
  signer = await startReferenceSigner(SIGNER_SECRET)
  const first = await world()
  me = (await first.createWallet('polygon')).address as Address
})
afterEach(async () => {
  vi.useRealTimers()
  await Promise.all(worlds.splice(0).map((one) => one.end()))
})
afterAll(() => signer.close())

/** Nothing left the agent but a refusal with this code. */
function refused(code: string) {
  return [{ status: 'FAILED', error: expect.stringMatching(new RegExp(`^${code}: `)) }]
}
const HELD = [{ status: undefined, error: undefined }]
const SENT = { status: 'SUBMITTED', error: undefined }

describe('bytes of a hostile service', () => {
  const bytes =
    (to: Address | null, data: `0x${string}`, more: object = {}) =>
    () => ({ bytes: evmBytes({ to, data, ...more }) })
  const supply = () => calls.supply(AMOUNT, me)
  const ATTACKS: readonly [tried: string, code: string, options: () => WorkOptions][] = [
    ['a deposit for another receiver', 'WRONG_BENEFICIARY', () => bytes(POOL, calls.supply(AMOUNT, STRANGER))()],
    ['shares for another receiver', 'WRONG_BENEFICIARY', () => bytes(VAULT, calls.deposit(AMOUNT, STRANGER))()],
    [
      'a withdrawal to another receiver',
      'WRONG_BENEFICIARY',
      () => ({ ...bytes(POOL, calls.withdraw(AMOUNT, STRANGER))(), metadata: { type: 'UNWIND' } }),
    ],
    ['a cent more than it says', 'WRONG_AMOUNT', () => bytes(POOL, calls.supply(AMOUNT + 10_000n, me))()],
    ['an unlimited allowance', 'WRONG_AMOUNT', () => bytes(USDC, calls.approve(POOL, 2n ** 256n - 1n))()],
    ['an allowance for a stranger', 'UNKNOWN_VENUE', () => bytes(USDC, calls.approve(STRANGER, AMOUNT))()],
    ['a transfer of the token', 'UNKNOWN_METHOD', () => bytes(USDC, calls.transfer(STRANGER, AMOUNT))()],
    ['a venue that is not listed', 'UNKNOWN_VENUE', () => bytes(STRANGER, calls.deposit(AMOUNT, me))()],
    ['another chain id', 'WRONG_CHAIN', () => bytes(POOL, supply(), { chainId: 137 })()],
    ['native coins', 'NATIVE_VALUE', () => bytes(POOL, supply(), { value: 1n })()],
    ['a contract creation', 'UNKNOWN_METHOD', () => bytes(null, '0x6000')()],
    ['a gas price that drains the wallet', 'FEE_TOO_HIGH', () => bytes(POOL, supply(), { maxFeePerGas: 10n ** 15n })()],
    ['a gas limit that drains the wallet', 'FEE_TOO_HIGH', () => bytes(POOL, supply(), { gas: 10n ** 9n })()],
    [
      'an access list',
      'SOMETHING_ELSE',
      () => bytes(POOL, supply(), { accessList: [{ address: STRANGER, storageKeys: [] }] })(),
    ],
    ['bytes behind the call', 'MALFORMED', () => bytes(POOL, `${supply()}00`)()],
    [
      'a transaction of another type',
      'MALFORMED',
      () => ({ bytes: serializeTransaction({ type: 'legacy', chainId: 31338, to: POOL, data: supply() }) }),
    ],
    ['a step with another name', 'WRONG_STEP', () => ({ metadata: { step: 'APPROVE_TOKEN' } })],
    ['another token in the metadata', 'UNKNOWN_TOKEN', () => ({ metadata: { token: 'USDT' } })],
    ['an amount in another notation', 'WRONG_AMOUNT', () => ({ metadata: { amount: '5e1' } })],
    ['a chain that the agent does not serve', 'UNKNOWN_CHAIN', () => ({ metadata: { blockchain: 'moon' } })],
    ['a foreign wallet', 'UNKNOWN_WALLET', () => ({ metadata: { walletAddress: STRANGER } })],
    ['an unknown kind of operation', 'WRONG_STEP', () => ({ metadata: { type: 'TRANSFER' } })],
  ]

  test('with each of these nothing is signed or sent, and the reason is reported', async () => {
    const { issue, node } = await world()
    for (const [tried, code, options] of ATTACKS) {
      expect(await issue(supplyOf(me, 0, options())), tried).toEqual(refused(code))
      expect(node.sent, tried).toEqual([])
    }
    expect(await issue(supplyOf(me, 0))).toEqual([SENT])
  })

  test('an operation that moves to another venue after its allowance is refused', async () => {
    const { issue, node } = await world()
    const operationId = nextId()
    const allowance = evmBytes({ to: USDC, data: calls.approve(POOL, AMOUNT) })
    expect(await issue(workOf(me, { operationId, bytes: allowance }))).toEqual([SENT])
    const elsewhere = evmBytes({ to: VAULT, data: calls.deposit(AMOUNT, me), nonce: 8 })
    expect(await issue(workOf(me, { operationId, bytes: elsewhere }))).toEqual(refused('UNKNOWN_VENUE'))
    expect(node.sent).toHaveLength(1)
  })

  test('a known wallet id with another address is refused, also if the agent holds that key', async () => {
    const { issue, node, createWallet } = await world()
    const other = (await createWallet('polygon')).address as Address
    expect(await issue(supplyOf(me, 0))).toEqual([SENT])
    expect(await issue(supplyOf(other, 0))).toEqual(refused('WRONG_SIGNER'))
    expect(node.sent).toHaveLength(1)
  })

  test('the same transaction with another nonce is held while the first bytes can land', async () => {
    const { issue, node } = await world()
    const id = nextId()
    expect(await issue(supplyOf(me, 0, { id }))).toEqual([SENT])
    expect(await issue(supplyOf(me, 1, { id }))).toEqual(HELD)
    expect(node.sent).toHaveLength(1)
  })
})

describe('bytes of a hostile service on Solana', () => {
  test('with each of these nothing is signed or sent, and the reason is reported', async () => {
    const { issue, node, createWallet } = await world()
    const wallet = (await createWallet('solana')).address!
    const tip = { program: transferOfSol(wallet).program, accounts: [`ws:${wallet}`, `ws:${STRANGER_KEY}`] }
    const attacks: readonly [tried: string, code: string, options: SolanaWorkOptions][] = [
      ['a transfer of SOL before the deposit', 'SOMETHING_ELSE', { before: [transferOfSol(wallet)] }],
      ['a transfer of SOL after the deposit', 'UNKNOWN_VENUE', { after: [transferOfSol(wallet)] }],
      ['a second signer', 'SOMETHING_ELSE', { before: [{ ...tip, data: transferOfSol(wallet).data }] }],
      ['shares for another receiver', 'WRONG_BENEFICIARY', { receiver: STRANGER_KEY }],
      ['the memo of another transaction', 'WRONG_MEMO', { memo: 'weir:1' }],
      ['a priority fee that drains the wallet', 'FEE_TOO_HIGH', { price: 100_000_000n }],
    ]
    for (const [tried, code, options] of attacks) {
      expect(await issue(await solanaSupplyOf(wallet, options)), tried).toEqual(refused(code))
      expect(node.sent, tried).toEqual([])
    }
    expect(await issue(await solanaSupplyOf(wallet))).toEqual([SENT])
  })
})

describe('limits over time against a hostile service', () => {
  const LIMITS = { version: 1, amounts: [{ token: 'USDC', perHour: '120' }] }

  test('many small moves end at the limit', async () => {
    const { issue, node } = await world({ LIMITS })
    for (const nonce of [0, 1]) expect(await issue(supplyOf(me, nonce))).toEqual([SENT])
    for (const nonce of [2, 3, 4]) expect(await issue(supplyOf(me, nonce))).toEqual(refused('LIMIT_REACHED'))
    expect(node.sent).toHaveLength(2)
  })

  test('many moves at the same time end at the limit', async () => {
    const { issue, node } = await world({ LIMITS, CONCURRENCY: '16' })
    const outcomes = await issue(...Array.from({ length: 12 }, (_, nonce) => supplyOf(me, nonce)))
    expect(outcomes.filter(({ status }) => status === 'SUBMITTED')).toHaveLength(2)
    expect(outcomes.filter(({ error }) => error?.startsWith('LIMIT_REACHED'))).toHaveLength(10)
    expect(node.sent).toHaveLength(2)
  })

  test('moves in both directions end at the limit', async () => {
    const { issue, node } = await world({ LIMITS })
    const back = (nonce: number) =>
      workOf(me, {
        bytes: evmBytes({ to: POOL, data: calls.withdraw(AMOUNT, me), nonce }),
        metadata: { type: 'UNWIND' },
      })
    expect(await issue(supplyOf(me, 0))).toEqual([SENT])
    expect(await issue(back(1))).toEqual([SENT])
    expect(await issue(supplyOf(me, 2))).toEqual(refused('LIMIT_REACHED'))
    expect(await issue(back(3))).toEqual(refused('LIMIT_REACHED'))
    expect(node.sent).toHaveLength(2)
  })

  test('a restart does not reset the limit', async () => {
    const hostile = await world({ LIMITS })
    for (const nonce of [0, 1]) await hostile.issue(supplyOf(me, nonce))
    await hostile.restart()
    expect(await hostile.issue(supplyOf(me, 2))).toEqual(refused('LIMIT_REACHED'))
    expect(hostile.node.sent).toHaveLength(2)
  })

  test.each([
    ['back', -2 * DAY_MS],
    ['forward', 2 * DAY_MS],
  ])('a date that is set %s while the agent runs frees nothing', async (_way, by) => {
    const { issue, node } = await world({ LIMITS })
    for (const nonce of [0, 1]) await issue(supplyOf(me, nonce))
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + by })
    expect(await issue(supplyOf(me, 2))).toEqual(refused('LIMIT_REACHED'))
    expect(node.sent).toHaveLength(2)
  })

  test('a date that is set back before a restart frees nothing', async () => {
    const hostile = await world({ LIMITS })
    for (const nonce of [0, 1]) await hostile.issue(supplyOf(me, nonce))
    await hostile.restart(() => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 2 * DAY_MS }))
    expect(await hostile.issue(supplyOf(me, 2))).toEqual(refused('LIMIT_REACHED'))
    expect(hostile.node.sent).toHaveLength(2)
  })

  test('a deleted journal stops the start when its id is configured', async () => {
    const hostile = await world({ LIMITS })
    await hostile.issue(supplyOf(me, 0))
    const deleted = hostile.restart(() => {
      Object.assign(hostile.settings, { JOURNAL_ID: '0c5f1c1e-0000-4000-8000-000000000000' })
      return rm(join(hostile.settings.AGENT_DIR!, 'journal.sqlite'))
    })
    await expect(deleted).rejects.toThrow('JOURNAL_ID is 0c5f1c1e-0000-4000-8000-000000000000, the journal in ')
    expect(hostile.node.sent).toHaveLength(1)
  })

  test('an older copy of the journal cannot be refused, but its number of entries falls', async () => {
    const hostile = await world({ LIMITS })
    const path = join(hostile.settings.AGENT_DIR!, 'journal.sqlite')
    const entries = async () => {
      const text = await (await fetch(`${hostile.agent.statusUrl}/metrics`)).text()
      return Number(/^weir_agent_journal_entries (\d+)$/m.exec(text)?.[1])
    }
    await hostile.issue(supplyOf(me, 0))
    await hostile.restart(() => copyFile(path, `${path}.old`))
    await hostile.issue(supplyOf(me, 1))
    const before = await entries()
    await hostile.restart(() => copyFile(`${path}.old`, path))
    expect(await entries()).toBeLessThan(before)
  })

  test('gas is drained to the budget and no further, by transactions that move nothing', async () => {
    const cost = 300_000n * 40_000_000_000n
    const fees = [{ blockchain: 'polygon', perDay: String(3n * cost) }]
    const { issue, node } = await world({ LIMITS: { version: 1, fees } })
    for (const nonce of [0, 1, 2]) expect(await issue(resetOf(me, nonce))).toEqual([SENT])
    expect(await issue(resetOf(me, 3))).toEqual(refused('FEE_BUDGET_REACHED'))
    expect(await issue(supplyOf(me, 4))).toEqual(refused('FEE_BUDGET_REACHED'))
    expect(node.sent).toHaveLength(3)
  })

  test('a higher fee for the same nonce counts as the higher of the two', async () => {
    const fees = [{ blockchain: 'polygon', perDay: String(300_000n * 120n * 10n ** 9n) }]
    const { issue, node } = await world({ LIMITS: { version: 1, fees } })
    const id = nextId()
    const at = (gwei: bigint) => ({
      bytes: evmBytes({ to: POOL, data: calls.supply(AMOUNT, me), nonce: 0, maxFeePerGas: gwei * 10n ** 9n }),
      id,
    })
    for (const gwei of [60n, 80n]) expect(await issue(supplyOf(me, 0, at(gwei)))).toEqual([SENT])
    expect(await issue(supplyOf(me, 0, at(121n)))).toEqual(refused('FEE_BUDGET_REACHED'))
    expect(await issue(resetOf(me, 1))).toEqual([SENT])
    expect(node.sent).toHaveLength(3)
  })
})

describe('full withdrawals that declare less than they move', () => {
  const word = (units: bigint) => `0x${units.toString(16).padStart(64, '0')}`
  const capped = () => {
    const list = allowListJson(sandboxAllowList) as { chains: { tokens: { maxAmount?: string }[] }[] }
    for (const token of list.chains.flatMap(({ tokens }) => tokens)) token.maxAmount = '1000'
    return list
  }

  test('one above maxAmount is refused', async () => {
    const { issue, node } = await world({ ALLOW_LIST: capped() })
    node.lies.eth_call = word(1_000_000_001n)
    expect(await issue(everythingOf(me, 0))).toEqual(refused('OVER_LIMIT'))
    expect(node.sent).toEqual([])
    node.lies.eth_call = word(1_000_000_000n)
    expect(await issue(everythingOf(me, 0))).toEqual([SENT])
  })

  test('they count against the limit by what they pay out', async () => {
    const { issue, node } = await world({ LIMITS: { version: 1, amounts: [{ token: 'USDC', perDay: '1000' }] } })
    node.lies.eth_call = word(700_000_000n)
    expect(await issue(everythingOf(me, 0))).toEqual([SENT])
    expect(await issue(everythingOf(me, 1))).toEqual(refused('LIMIT_REACHED'))
    expect(node.sent).toHaveLength(1)
  })

  test('one honest endpoint is enough against others that understate the position', async () => {
    const honest = await startHostileNode()
    honest.lies.eth_call = word(5_000_000_000n)
    const hostile = await world({ ALLOW_LIST: capped() })
    Object.assign(hostile.settings, { POLYGON_RPC_URL: `${hostile.node.url},${honest.url}` })
    await hostile.restart()
    hostile.node.lies.eth_call = word(1n)
    expect(await hostile.issue(everythingOf(me, 0))).toEqual(refused('OVER_LIMIT'))
    expect([...hostile.node.sent, ...honest.sent]).toEqual([])
    await honest.close()
  })

  test.each([
    ['nothing', '0x'],
    ['text', 'plenty'],
    ['no connection', new Error('gone')],
  ])('an endpoint that returns %s about the position leaves it unsigned', async (_name, lie) => {
    const { issue, node } = await world({ ALLOW_LIST: capped() })
    node.lies.eth_call = lie
    expect(await issue(everythingOf(me, 0))).toEqual(HELD)
    expect(node.sent).toEqual([])
  })
})

describe('approvals for an agent that checks them', () => {
  const [ada, bob, eve] = [createPasskey(), createPasskey(), createPasskey()]
  const passkeys = ({ credentialId, publicKey }: typeof ada) => [{ credentialId, publicKey }]
  const APPROVERS = {
    version: 1,
    organizationId: 7,
    relyingPartyId: RELYING_PARTY,
    origins: [ORIGIN],
    approvers: [
      { name: 'Ada', passkeys: passkeys(ada) },
      { name: 'Bob', passkeys: passkeys(bob) },
    ],
    rules: [{ amountAtLeast: '10', required: 2 }],
  }
  const plannedAt = new Date()
  const content = (operationId: number, more: Partial<ApprovalContent> = {}): ApprovalContent => ({
    environment: 'sandbox',
    organizationId: 7,
    operationId,
    walletId: 1,
    walletAddress: me,
    blockchain: 'polygon',
    type: 'SUPPLY',
    token: USDC,
    amount: AMOUNT,
    venue: POOL,
    plannedAt,
    ...more,
  })
  const approved = (operationId: number, by: readonly (typeof ada)[], its: Partial<ApprovalContent> = {}) => {
    const signed = content(operationId, its)
    const sent = { ...signed, amount: String(signed.amount), plannedAt: signed.plannedAt.toISOString() }
    const signatures = by.map((passkey) => passkey.approve(approvalChallenge(signed)))
    return { operationId, more: { approval: { content: sent, signatures } } }
  }

  const FORGERIES: readonly [tried: string, options: (operationId: number) => WorkOptions][] = [
    ['no approval', (operationId) => ({ operationId })],
    ['an approval of unknown form', (operationId) => ({ operationId, more: { approval: [[{}]] } })],
    ['one of two approvers', (operationId) => approved(operationId, [ada])],
    ['one approver twice', (operationId) => approved(operationId, [ada, ada])],
    ['a passkey that the service invented', (operationId) => approved(operationId, [ada, eve])],
    [
      'an invented passkey under a known credential id',
      (operationId) =>
        approved(operationId, [
          ada,
          { ...eve, approve: (challenge) => ({ ...eve.approve(challenge), credentialId: bob.credentialId }) },
        ]),
    ],
    [
      'a passkey without user verification',
      (operationId) =>
        approved(operationId, [ada, { ...bob, approve: (challenge) => bob.approve(challenge, { flags: 1 }) }]),
    ],
    ['an approval of another operation', (operationId) => ({ ...approved(operationId + 1, [ada, bob]), operationId })],
    ['an approval of a smaller amount', (operationId) => approved(operationId, [ada, bob], { amount: 1_000_000n })],
    ['an approval for another venue', (operationId) => approved(operationId, [ada, bob], { venue: VAULT })],
    ['an approval for another wallet', (operationId) => approved(operationId, [ada, bob], { walletId: 2 })],
    ['an approval for another chain', (operationId) => approved(operationId, [ada, bob], { blockchain: 'base' })],
    ['an approval of the other direction', (operationId) => approved(operationId, [ada, bob], { type: 'UNWIND' })],
    ['an approval of another organization', (operationId) => approved(operationId, [ada, bob], { organizationId: 8 })],
    [
      'an approval of the other environment',
      (operationId) => approved(operationId, [ada, bob], { environment: 'live' }),
    ],
  ]

  test('each of these forgeries signs nothing, and the genuine approval does', async () => {
    const { issue, node } = await world({ APPROVERS })
    for (const [tried, options] of FORGERIES) {
      expect(await issue(supplyOf(me, 0, options(nextId()))), tried).toEqual(refused('APPROVAL_(MISSING|EXPIRED)'))
      expect(node.sent, tried).toEqual([])
    }
    expect(await issue(supplyOf(me, 0, approved(nextId(), [ada, bob])))).toEqual([SENT])
  })

  test('an old approval of an operation that was never signed is refused', async () => {
    const { issue, node } = await world({ APPROVERS })
    const old = approved(nextId(), [ada, bob], { plannedAt: new Date(Date.now() - 9 * DAY_MS) })
    expect(await issue(supplyOf(me, 0, old))).toEqual(refused('APPROVAL_EXPIRED'))
    expect(node.sent).toEqual([])
  })

  test('an approval releases one transaction of its step, also after a restart, and its allowance', async () => {
    const hostile = await world({ APPROVERS })
    const options = approved(nextId(), [ada, bob])
    const allowance = evmBytes({ to: USDC, data: calls.approve(POOL, AMOUNT), nonce: 0 })
    expect(await hostile.issue(workOf(me, { ...options, bytes: allowance }))).toEqual([SENT])
    expect(await hostile.issue(supplyOf(me, 1, options))).toEqual([SENT])
    expect(await hostile.issue(supplyOf(me, 2, options))).toEqual(refused('APPROVAL_USED'))
    await hostile.restart()
    expect(await hostile.issue(supplyOf(me, 3, options))).toEqual(refused('APPROVAL_USED'))
    expect(hostile.node.sent).toHaveLength(2)
  })

  test('other bytes of the approved transaction are held while the first can land, and a fee bump is not', async () => {
    const { issue, node } = await world({ APPROVERS })
    const options = { ...approved(nextId(), [ada, bob]), id: nextId() }
    expect(await issue(supplyOf(me, 0, options))).toEqual([SENT])
    expect(await issue(supplyOf(me, 1, options))).toEqual(HELD)
    const bumped = evmBytes({ to: POOL, data: calls.supply(AMOUNT, me), nonce: 0, maxFeePerGas: 50_000_000_000n })
    expect(await issue(supplyOf(me, 0, { ...options, bytes: bumped }))).toEqual([SENT])
    expect(node.sent).toHaveLength(2)
  })

  test('a full withdrawal that declares an amount below the threshold needs its approvals', async () => {
    const { issue, node } = await world({ APPROVERS })
    node.lies.eth_call = `0x${900_000_000n.toString(16).padStart(64, '0')}`
    expect(await issue(everythingOf(me, 0))).toEqual(refused('APPROVAL_EXPIRED'))
    const part = approved(nextId(), [ada, bob], { type: 'UNWIND', amount: 1_000_000n })
    expect(await issue(everythingOf(me, 0, part))).toEqual(refused('APPROVAL_MISSING'))
    const whole = approved(nextId(), [ada, bob], { type: 'UNWIND', amount: 'all' })
    expect(node.sent).toEqual([])
    expect(await issue(everythingOf(me, 0, whole))).toEqual([SENT])
  })
})

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
    const { issue, node, service, agent } = await world()
    service.nextReply = reply
    await until(() => service.nextReply === undefined)
    expect((await fetch(`${agent.statusUrl}/health`)).status).toBe(200)
    expect(node.sent).toEqual([])
    expect(await issue(supplyOf(me, 0))).toEqual([SENT])
  })

  test.each([
    ['a lease until the year 9999', { leaseExpiresAt: '9999-01-01T00:00:00Z' }],
    ['a lease at no time', { claimedAt: 'now' }],
    ['an id that is text', { operationId: '1' }],
    ['endless bytes', { unsignedTx: `0x${'0'.repeat(50_000)}` }],
  ])('%s is not worked on', async (_tried, more) => {
    const { issue, node, service } = await world()
    service.transactions.push(supplyOf(me, 0, { more }))
    await until(() => service.transactions.length === 0)
    expect(await issue(supplyOf(me, 0))).toEqual([SENT])
    expect(node.sent).toHaveLength(1)
  })

  test('a redirect is not followed, so the API key goes nowhere else', async () => {
    let strangers = 0
    const elsewhere = await startFakeServer(() => {
      strangers += 1
      return { status: 200, body: '{}' }
    })
    const { service, issue } = await world()
    service.nextReply = { status: 307, body: '', headers: { location: `${elsewhere.url}/api/agent/transactions/poll` } }
    await until(() => service.nextReply === undefined)
    expect(await issue(supplyOf(me, 0))).toEqual([SENT])
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
    const { createWallet } = await world()
    expect(await createWallet('polygon', challenge)).not.toHaveProperty('signature')
  })

  test('a wallet under an address that the agent did not create gets no signature', async () => {
    const { createWallet, issue, node } = await world()
    expect(await createWallet('polygon', CHALLENGE)).toMatchObject({ signature: expect.stringMatching(/^0x/) })
    expect(await issue(supplyOf(STRANGER, 0))).toEqual(refused('UNKNOWN_WALLET'))
    expect(node.sent).toEqual([])
  })

  test('an action of another kind is refused', async () => {
    const { service } = await world()
    service.actions.push({
      id: 5,
      type: 'SIGN_MESSAGE',
      payload: { blockchain: 'polygon' },
      leaseExpiresAt: '2030-01-01',
    })
    const report = await until(() => service.reports[0])
    expect(report.body).toMatchObject({
      status: 'FAILED',
      error: 'SIGN_MESSAGE is not an action that this agent knows',
    })
  })
})

describe('hostile endpoints', () => {
  test('an endpoint of another chain stops the start', async () => {
    const hostile = await world()
    hostile.node.lies.eth_chainId = '0x1'
    await expect(hostile.restart()).rejects.toThrow('serves chain 1, the list says 31338')
  })

  test('an endpoint that calls landed bytes dead is contradicted by another one', async () => {
    const honest = await startHostileNode()
    const hostile = await world()
    Object.assign(hostile.settings, { POLYGON_RPC_URL: `${hostile.node.url},${honest.url}` })
    await hostile.restart()
    const id = nextId()
    expect(await hostile.issue(supplyOf(me, 0, { id }))).toEqual([SENT])
    Object.assign(hostile.node.lies, { eth_getTransactionByHash: null, eth_getTransactionCount: '0xff' })
    expect(await hostile.issue(supplyOf(me, 1, { id }))).toEqual(HELD)
    expect(hostile.node.sent).toHaveLength(1)
    await honest.close()
  })

  test('an endless response of an endpoint leaves the work to its lease', async () => {
    const { issue, node } = await world()
    node.lies.eth_getBlockByNumber = 'x'.repeat(5_000_000)
    expect(await issue(supplyOf(me, 0))).toEqual(HELD)
    expect(node.sent).toEqual([])
    delete node.lies.eth_getBlockByNumber
    expect(await issue(supplyOf(me, 0))).toEqual([SENT])
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
    const { issue, node } = await world({ SIGNER_URL: hostile.url })
    hostile.always = { status: 200, body: { found: true, signature: signature() } }
    expect(await issue(supplyOf(me, 0))).toEqual(HELD)
    expect(node.sent).toEqual([])
    await hostile.close()
  })

  test('a response of somebody who does not know the secret is discarded', async () => {
    const hostile = await startReferenceSigner(SIGNER_SECRET)
    const { issue, node } = await world({ SIGNER_URL: hostile.url })
    hostile.always = { status: 200, body: { found: true } }
    hostile.secret = 'another secret of more than thirty-two'
    expect(await issue(supplyOf(me, 0))).toEqual(HELD)
    expect(node.sent).toEqual([])
    await hostile.close()
  })
})
