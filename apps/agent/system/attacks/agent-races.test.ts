import { describe, expect, test } from 'vitest'
import { evmBytes } from '../../../../packages/verify/src/test-bytes.ts'
import { genuineApprovals } from '../../testing/genuine-approvals.ts'
import { calls, nextId, POOL, supplyOf, USDC, VAULT, workOf } from '../../testing/hostile-work.ts'
import type { Outcome } from '../../testing/hostile-world.ts'
import { HELD, SENT, useHostileWorlds } from '../../testing/use-hostile-worlds.ts'

const AMOUNT = 50_000_000n
const SAME_TIME = { CONCURRENCY: '16' }
const worlds = useHostileWorlds()

/** How many were sent and held; nothing else happened. */
function counts(outcomes: readonly Outcome[]) {
  const held = outcomes.filter(({ status }) => status === undefined).length
  const sent = outcomes.filter(({ status, error }) => status === 'SUBMITTED' && error === undefined).length
  return { sent, held, other: outcomes.length - held - sent }
}

describe('work that a hostile service issues several times at once', () => {
  test('one genuine approval releases one of four nonces', async () => {
    const { ada, bob, APPROVERS, approved } = genuineApprovals(() => worlds.me)
    const { issue, node } = await worlds.world({ APPROVERS, ...SAME_TIME })
    const options = { ...approved(nextId(), [ada, bob]), id: nextId() }
    await issue(...[0, 1, 2, 3].map((nonce) => supplyOf(worlds.me, nonce, options)))
    expect(node.sent).toHaveLength(1)
  })

  test('one id is signed once, and the others are held', async () => {
    const { issue, node, service } = await worlds.world(SAME_TIME)
    const id = nextId()
    await issue(...[0, 1, 2, 3].map((nonce) => supplyOf(worlds.me, nonce, { id })))
    expect(node.sent).toHaveLength(1)
    expect(service.reports).toHaveLength(1)
    expect(await issue(supplyOf(worlds.me, 4, { id }))).toEqual(HELD)
  })

  test('an operation has one venue, even if both of its transactions come at once', async () => {
    const { issue, node } = await worlds.world(SAME_TIME)
    const operationId = nextId()
    const allowance = evmBytes({ to: USDC, data: calls.approve(POOL, AMOUNT) })
    const elsewhere = evmBytes({ to: VAULT, data: calls.deposit(AMOUNT, worlds.me), nonce: 8 })
    const outcomes = await issue(
      workOf(worlds.me, { id: nextId(), operationId, bytes: allowance }),
      workOf(worlds.me, { id: nextId(), operationId, bytes: elsewhere }),
    )
    expect(counts(outcomes)).toEqual({ sent: 1, held: 1, other: 0 })
    expect(node.sent).toHaveLength(1)
  })

  test('an id is of one operation, even if both come at once', async () => {
    const { issue, node } = await worlds.world(SAME_TIME)
    const id = nextId()
    const operations = [nextId(), nextId()]
    await issue(...operations.map((operationId, nonce) => supplyOf(worlds.me, nonce, { id, operationId })))
    expect(node.sent).toHaveLength(1)
  })

  test('what was held is done when it is issued again, and other operations never wait', async () => {
    const { issue } = await worlds.world(SAME_TIME)
    const operationId = nextId()
    const [one, other] = [0, 1].map((nonce) => supplyOf(worlds.me, nonce, { id: nextId(), operationId }))
    const outcomes = await issue(one!, other!, supplyOf(worlds.me, 2), supplyOf(worlds.me, 3))
    expect(counts(outcomes.slice(0, 2))).toEqual({ sent: 1, held: 1, other: 0 })
    expect(outcomes.slice(2)).toEqual([SENT, SENT])
    expect(await issue(outcomes[0]!.status === undefined ? one! : other!)).toEqual([SENT])
  })
})
