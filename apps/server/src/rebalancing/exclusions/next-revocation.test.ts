import { expect, test } from 'vitest'
import { pastMove } from '../../../testing/rebalancing/past-move.ts'
import { addMilliseconds, LEFT_ALLOWANCE_GRACE_MS } from '../../kernel/index.ts'
import type { PastMove } from '../state/read-wallet-states.ts'
import { nextRevocation } from './next-revocation.ts'

const NOW = new Date('2026-06-01T12:00:00Z')
const ago = (ms: number) => addMilliseconds(NOW, -ms)
const HOUR = 3_600_000

function next(leftAgoMs: Readonly<Record<number, number>>, pastMoves: readonly PastMove[] = []) {
  const leftAllowances = Object.entries(leftAgoMs).map(([id, ms]) => ({ strategyId: Number(id), leftAt: ago(ms) }))
  const facts = { leftAllowances, pastMoves, policyChangedAt: null, opWallet: { updatedAt: ago(48 * HOUR) } }
  return nextRevocation(facts, '', NOW)
}
const ended = (strategyId: number, state: PastMove['state'], agoMs: number) =>
  pastMove({ type: 'REVOKE', strategyId, state, at: ago(agoMs), catalogueFingerprint: '' })

test('the allowance that was left first is revoked first, ten minutes after it was left', () => {
  expect(next({ 1: HOUR, 2: 2 * HOUR })).toMatchObject({ strategyId: 2 })
  expect(next({ 1: 60_000 })).toEqual({
    strategyId: 1,
    leftAt: ago(60_000),
    from: addMilliseconds(ago(60_000), LEFT_ALLOWANCE_GRACE_MS),
  })
  expect(next({})).toBeUndefined()
})

test('revocations that always fail take turns, and one that would succeed gets its own', () => {
  const past = [ended(2, 'FAILED', 2 * HOUR), ended(1, 'FAILED', 3 * HOUR)]
  expect(next({ 1: 5 * HOUR, 2: 5 * HOUR, 3: HOUR }, past)).toMatchObject({ strategyId: 3 })
  expect(next({ 1: 5 * HOUR, 2: 5 * HOUR }, past)).toMatchObject({ strategyId: 1 })
})

test('a rejected revocation holds up no other', () => {
  const past = [ended(1, 'REJECTED', HOUR)]
  expect(next({ 1: 5 * HOUR, 2: 2 * HOUR }, past)).toMatchObject({ strategyId: 2 })
  expect(next({ 1: 5 * HOUR }, past)).toMatchObject({ strategyId: 1, from: addMilliseconds(NOW, 23 * HOUR) })
})
