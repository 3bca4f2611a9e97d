// Also tested elsewhere: settlements that call it (settlement/landings/settle-landed.test.ts), and the rate as people see it
// (system/money/settlement.test.ts).

import { expect, test } from 'vitest'
import { anyState } from '../../../../testing/operations/any-state.ts'
import { useStore } from '../../../../testing/operations/use-store.ts'
import { USDC } from '../../../../testing/units.ts'
import { recordActualApys, withdrawnApy } from './record-actual-apy.ts'

const store = useStore()
const openedAt = new Date('2026-01-01T00:00:00Z')
const after = (days: number) => ({ time: new Date(openedAt.getTime() + days * 86_400_000) })
const principal = (usdc: bigint) => ({ principal: usdc * USDC })

test('the rate is stored with its operation only, and an unknown one leaves the stored rate', async () => {
  const wallet = await store.wallet()
  const { organizationId } = wallet
  const [operation, other] = [await store.plan(wallet), await store.plan(await store.wallet({ organizationId }))]
  const record = (apy: number | null) => store.tx((tx) => recordActualApys(tx, [{ operation, apy }]))
  await record(0.05)
  await record(null)
  expect(anyState(await store.reload(operation)).actualApy).toBe(0.05)
  expect(anyState(await store.reload(other)).actualApy).toBeNull()
})

test('a withdrawal earned its gain on the withdrawn principal, over the time since the position opened', () => {
  const apy = withdrawnApy({
    before: principal(1_000n),
    after: principal(600n),
    assets: 404n * USDC,
    allocation: { openedAt },
    block: after(73),
  })
  // 73 days are a fifth of a year.
  expect(apy).toBeCloseTo(1.01 ** 5 - 1, 12)
  expect(
    withdrawnApy({
      before: principal(1_000n),
      after: principal(0n),
      assets: 990n * USDC,
      allocation: { openedAt },
      block: after(365),
    }),
  ).toBeCloseTo(-0.01, 12)
})

test('a rate is unknown without withdrawn principal, without an allocation, or at the moment of its opening', () => {
  expect(
    withdrawnApy({
      before: principal(5n),
      after: principal(5n),
      assets: 1n,
      allocation: { openedAt },
      block: after(1),
    }),
  ).toBeNull()
  expect(
    withdrawnApy({
      before: principal(5n),
      after: principal(0n),
      assets: 5n * USDC,
      allocation: undefined,
      block: after(1),
    }),
  ).toBeNull()
  expect(
    withdrawnApy({
      before: principal(5n),
      after: principal(0n),
      assets: 5n * USDC,
      allocation: { openedAt },
      block: after(0),
    }),
  ).toBeNull()
})
