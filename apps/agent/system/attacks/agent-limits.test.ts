import { copyFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { allowListJson, sandboxAllowList } from '@weir/verify'
import { describe, expect, test, vi } from 'vitest'
import { evmBytes } from '../../../../packages/verify/src/test-bytes.ts'
import { startHostileNode } from '../../testing/hostile-node.ts'
import { calls, everythingOf, nextId, POOL, resetOf, supplyOf, workOf } from '../../testing/hostile-work.ts'
import { HELD, refused, SENT, useHostileWorlds } from '../../testing/use-hostile-worlds.ts'

const AMOUNT = 50_000_000n
const DAY_MS = 86_400_000
const worlds = useHostileWorlds()

describe('limits over time against a hostile service', () => {
  const LIMITS = { version: 1, amounts: [{ token: 'USDC', perHour: '120' }] }

  test('many small moves end at the limit', async () => {
    const { issue, node } = await worlds.world({ LIMITS })
    for (const nonce of [0, 1]) expect(await issue(supplyOf(worlds.me, nonce))).toEqual([SENT])
    for (const nonce of [2, 3, 4]) expect(await issue(supplyOf(worlds.me, nonce))).toEqual(refused('LIMIT_REACHED'))
    expect(node.sent).toHaveLength(2)
  })

  test('many moves at the same time end at the limit', async () => {
    const { issue, node } = await worlds.world({ LIMITS, CONCURRENCY: '16' })
    const outcomes = await issue(...Array.from({ length: 12 }, (_, nonce) => supplyOf(worlds.me, nonce)))
    expect(outcomes.filter(({ status }) => status === 'SUBMITTED')).toHaveLength(2)
    expect(outcomes.filter(({ error }) => error?.startsWith('LIMIT_REACHED'))).toHaveLength(10)
    expect(node.sent).toHaveLength(2)
  })

  test('moves in both directions end at the limit', async () => {
    const { issue, node } = await worlds.world({ LIMITS })
    const back = (nonce: number) =>
      workOf(worlds.me, {
        bytes: evmBytes({ to: POOL, data: calls.withdraw(AMOUNT, worlds.me), nonce }),
        metadata: { type: 'UNWIND' },
      })
    expect(await issue(supplyOf(worlds.me, 0))).toEqual([SENT])
    expect(await issue(back(1))).toEqual([SENT])
    expect(await issue(supplyOf(worlds.me, 2))).toEqual(refused('LIMIT_REACHED'))
    expect(await issue(back(3))).toEqual(refused('LIMIT_REACHED'))
    expect(node.sent).toHaveLength(2)
  })

  test('a restart does not reset the limit', async () => {
    const hostile = await worlds.world({ LIMITS })
    for (const nonce of [0, 1]) await hostile.issue(supplyOf(worlds.me, nonce))
    await hostile.restart()
    expect(await hostile.issue(supplyOf(worlds.me, 2))).toEqual(refused('LIMIT_REACHED'))
    expect(hostile.node.sent).toHaveLength(2)
  })

  test.each([
    ['back', -2 * DAY_MS],
    ['forward', 2 * DAY_MS],
  ])('a date that is set %s while the agent runs frees nothing', async (_way, by) => {
    const { issue, node } = await worlds.world({ LIMITS })
    for (const nonce of [0, 1]) await issue(supplyOf(worlds.me, nonce))
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + by })
    expect(await issue(supplyOf(worlds.me, 2))).toEqual(refused('LIMIT_REACHED'))
    expect(node.sent).toHaveLength(2)
  })

  test('a date that is set back before a restart frees nothing', async () => {
    const hostile = await worlds.world({ LIMITS })
    for (const nonce of [0, 1]) await hostile.issue(supplyOf(worlds.me, nonce))
    await hostile.restart(() => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 2 * DAY_MS }))
    expect(await hostile.issue(supplyOf(worlds.me, 2))).toEqual(refused('LIMIT_REACHED'))
    expect(hostile.node.sent).toHaveLength(2)
  })

  test('a deleted journal stops the start when its id is configured', async () => {
    const hostile = await worlds.world({ LIMITS })
    await hostile.issue(supplyOf(worlds.me, 0))
    const deleted = hostile.restart(() => {
      Object.assign(hostile.settings, { JOURNAL_ID: '0c5f1c1e-0000-4000-8000-000000000000' })
      return rm(join(hostile.settings.AGENT_DIR!, 'journal.sqlite'))
    })
    await expect(deleted).rejects.toThrow('JOURNAL_ID is 0c5f1c1e-0000-4000-8000-000000000000, but the journal in ')
    expect(hostile.node.sent).toHaveLength(1)
  })

  test('an older copy of the journal cannot be refused, but its number of entries falls', async () => {
    const hostile = await worlds.world({ LIMITS })
    const path = join(hostile.settings.AGENT_DIR!, 'journal.sqlite')
    const entries = async () => {
      const text = await (await fetch(`${hostile.agent.statusUrl}/metrics`)).text()
      return Number(/^weir_agent_journal_entries (\d+)$/m.exec(text)?.[1])
    }
    await hostile.issue(supplyOf(worlds.me, 0))
    await hostile.restart(() => copyFile(path, `${path}.old`))
    await hostile.issue(supplyOf(worlds.me, 1))
    const before = await entries()
    await hostile.restart(() => copyFile(`${path}.old`, path))
    expect(await entries()).toBeLessThan(before)
  })

  test('gas is drained to the budget and no further, by transactions that move nothing', async () => {
    const cost = 300_000n * 40_000_000_000n
    const fees = [{ blockchain: 'polygon', perDay: String(3n * cost) }]
    const { issue, node } = await worlds.world({ LIMITS: { version: 1, fees } })
    for (const nonce of [0, 1, 2]) expect(await issue(resetOf(worlds.me, nonce))).toEqual([SENT])
    expect(await issue(resetOf(worlds.me, 3))).toEqual(refused('FEE_BUDGET_REACHED'))
    expect(await issue(supplyOf(worlds.me, 4))).toEqual(refused('FEE_BUDGET_REACHED'))
    expect(node.sent).toHaveLength(3)
  })

  test('a higher fee for the same nonce counts as the higher of the two', async () => {
    const fees = [{ blockchain: 'polygon', perDay: String(300_000n * 120n * 10n ** 9n) }]
    const { issue, node } = await worlds.world({ LIMITS: { version: 1, fees } })
    const id = nextId()
    const at = (gwei: bigint) => ({
      bytes: evmBytes({ to: POOL, data: calls.supply(AMOUNT, worlds.me), nonce: 0, maxFeePerGas: gwei * 10n ** 9n }),
      id,
    })
    for (const gwei of [60n, 80n]) expect(await issue(supplyOf(worlds.me, 0, at(gwei)))).toEqual([SENT])
    expect(await issue(supplyOf(worlds.me, 0, at(121n)))).toEqual(refused('FEE_BUDGET_REACHED'))
    expect(await issue(resetOf(worlds.me, 1))).toEqual([SENT])
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
    const { issue, node } = await worlds.world({ ALLOW_LIST: capped() })
    node.lies.eth_call = word(1_000_000_001n)
    expect(await issue(everythingOf(worlds.me, 0))).toEqual(refused('OVER_LIMIT'))
    expect(node.sent).toEqual([])
    node.lies.eth_call = word(1_000_000_000n)
    expect(await issue(everythingOf(worlds.me, 0))).toEqual([SENT])
  })

  test('they count against the limit by what they pay out', async () => {
    const { issue, node } = await worlds.world({
      LIMITS: { version: 1, amounts: [{ token: 'USDC', perDay: '1000' }] },
    })
    node.lies.eth_call = word(700_000_000n)
    expect(await issue(everythingOf(worlds.me, 0))).toEqual([SENT])
    node.lies.eth_getTransactionCount = '0x1'
    expect(await issue(everythingOf(worlds.me, 1))).toEqual(refused('LIMIT_REACHED'))
    expect(node.sent).toHaveLength(1)
  })

  test('one honest endpoint is enough against others that understate the position', async () => {
    const honest = await startHostileNode()
    honest.lies.eth_call = word(5_000_000_000n)
    const hostile = await worlds.world({ ALLOW_LIST: capped() })
    Object.assign(hostile.settings, { POLYGON_RPC_URL: `${hostile.node.url},${honest.url}` })
    await hostile.restart()
    hostile.node.lies.eth_call = word(1n)
    expect(await hostile.issue(everythingOf(worlds.me, 0))).toEqual(refused('OVER_LIMIT'))
    expect([...hostile.node.sent, ...honest.sent]).toEqual([])
    await honest.close()
  })

  test.each([
    ['nothing', '0x'],
    ['text', 'plenty'],
    ['no connection', new Error('gone')],
  ])('an endpoint that returns %s about the position leaves it unsigned', async (_name, lie) => {
    const { issue, node } = await worlds.world({ ALLOW_LIST: capped() })
    node.lies.eth_call = lie
    expect(await issue(everythingOf(worlds.me, 0))).toEqual(HELD)
    expect(node.sent).toEqual([])
  })
})

describe('bytes that are kept until they do more than was checked', () => {
  const counts = (included: number, known = included) => ({
    eth_getTransactionCount: (params: readonly unknown[]) =>
      `0x${(params[1] === 'pending' ? known : included).toString(16)}`,
  })

  test('a whole position is not signed with a nonce far ahead, nor behind a deposit that is on its way', async () => {
    const { issue, node } = await worlds.world({ LIMITS: { version: 1, amounts: [{ token: 'USDC', perDay: '1000' }] } })
    Object.assign(node.lies, counts(5))
    expect(await issue(everythingOf(worlds.me, 9))).toEqual(HELD)
    expect(await issue(supplyOf(worlds.me, 5))).toEqual([SENT])
    expect(await issue(everythingOf(worlds.me, 6))).toEqual(HELD)
    Object.assign(node.lies, counts(5, 6))
    expect(await issue(everythingOf(worlds.me, 6))).toEqual(HELD)
    expect(node.sent).toHaveLength(1)
    Object.assign(node.lies, counts(6))
    expect(await issue(everythingOf(worlds.me, 6))).toEqual([SENT])
  })

  test('a nonce is signed if all before it are used, pending or signed by the agent', async () => {
    const { issue, node } = await worlds.world()
    Object.assign(node.lies, counts(5, 7))
    expect(await issue(supplyOf(worlds.me, 8))).toEqual(HELD)
    expect(await issue(supplyOf(worlds.me, 7))).toEqual([SENT])
    expect(await issue(supplyOf(worlds.me, 8))).toEqual([SENT])
    expect(await issue(supplyOf(worlds.me, 10))).toEqual(HELD)
    expect(await issue(supplyOf(worlds.me, 6))).toEqual([SENT])
    expect(node.sent).toHaveLength(3)
  })

  test('one honest endpoint is enough against others that count too many transactions', async () => {
    const honest = await startHostileNode()
    Object.assign(honest.lies, counts(0))
    const hostile = await worlds.world()
    Object.assign(hostile.settings, { POLYGON_RPC_URL: `${hostile.node.url},${honest.url}` })
    await hostile.restart()
    Object.assign(hostile.node.lies, counts(9))
    expect(await hostile.issue(everythingOf(worlds.me, 9))).toEqual(HELD)
    expect(await hostile.issue(everythingOf(worlds.me, 0))).toEqual([SENT])
    await honest.close()
  })
})
