import { describe, expect, test } from 'vitest'
import { evmBytes } from '../../../../packages/verify/src/test-bytes.ts'
import { genuineApprovals } from '../../testing/genuine-approvals.ts'
import {
  calls,
  everythingOf,
  nextId,
  POOL,
  supplyOf,
  USDC,
  VAULT,
  type WorkOptions,
  workOf,
} from '../../testing/hostile-work.ts'
import { createPasskey } from '../../testing/passkey.ts'
import { HELD, refused, SENT, useHostileWorlds } from '../../testing/use-hostile-worlds.ts'

const AMOUNT = 50_000_000n
const DAY_MS = 86_400_000
const worlds = useHostileWorlds()

describe('approvals for an agent that checks them', () => {
  const { ada, bob, APPROVERS, approved } = genuineApprovals(() => worlds.me)
  const eve = createPasskey()

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
    const { issue, node } = await worlds.world({ APPROVERS })
    for (const [tried, options] of FORGERIES) {
      expect(await issue(supplyOf(worlds.me, 0, options(nextId()))), tried).toEqual(
        refused('APPROVAL_(MISSING|EXPIRED)'),
      )
      expect(node.sent, tried).toEqual([])
    }
    expect(await issue(supplyOf(worlds.me, 0, approved(nextId(), [ada, bob])))).toEqual([SENT])
  })

  test('an old approval of an operation that was never signed is refused', async () => {
    const { issue, node } = await worlds.world({ APPROVERS })
    const old = approved(nextId(), [ada, bob], { plannedAt: new Date(Date.now() - 9 * DAY_MS) })
    expect(await issue(supplyOf(worlds.me, 0, old))).toEqual(refused('APPROVAL_EXPIRED'))
    expect(node.sent).toEqual([])
  })

  test('an approval releases one transaction of its step, also after a restart, and its allowance', async () => {
    const hostile = await worlds.world({ APPROVERS })
    const options = approved(nextId(), [ada, bob])
    const allowance = evmBytes({ to: USDC, data: calls.approve(POOL, AMOUNT), nonce: 0 })
    expect(await hostile.issue(workOf(worlds.me, { ...options, bytes: allowance }))).toEqual([SENT])
    expect(await hostile.issue(supplyOf(worlds.me, 1, options))).toEqual([SENT])
    expect(await hostile.issue(supplyOf(worlds.me, 2, options))).toEqual(refused('APPROVAL_USED'))
    await hostile.restart()
    expect(await hostile.issue(supplyOf(worlds.me, 3, options))).toEqual(refused('APPROVAL_USED'))
    expect(hostile.node.sent).toHaveLength(2)
  })

  test('other bytes of the approved transaction are held while the first can land, and a fee bump is not', async () => {
    const { issue, node } = await worlds.world({ APPROVERS })
    const options = { ...approved(nextId(), [ada, bob]), id: nextId() }
    expect(await issue(supplyOf(worlds.me, 0, options))).toEqual([SENT])
    expect(await issue(supplyOf(worlds.me, 1, options))).toEqual(HELD)
    const bumped = evmBytes({
      to: POOL,
      data: calls.supply(AMOUNT, worlds.me),
      nonce: 0,
      maxFeePerGas: 50_000_000_000n,
    })
    expect(await issue(supplyOf(worlds.me, 0, { ...options, bytes: bumped }))).toEqual([SENT])
    expect(node.sent).toHaveLength(2)
  })

  test('a full withdrawal that declares an amount below the threshold needs its approvals', async () => {
    const { issue, node } = await worlds.world({ APPROVERS })
    node.lies.eth_call = `0x${900_000_000n.toString(16).padStart(64, '0')}`
    expect(await issue(everythingOf(worlds.me, 0))).toEqual(refused('APPROVAL_EXPIRED'))
    const part = approved(nextId(), [ada, bob], { type: 'UNWIND', amount: 1_000_000n })
    expect(await issue(everythingOf(worlds.me, 0, part))).toEqual(refused('APPROVAL_MISSING'))
    const whole = approved(nextId(), [ada, bob], { type: 'UNWIND', amount: 'all' })
    expect(node.sent).toEqual([])
    expect(await issue(everythingOf(worlds.me, 0, whole))).toEqual([SENT])
  })
})
