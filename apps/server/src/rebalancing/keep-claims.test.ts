import { expect, test } from 'vitest'
import { until } from '../../testing/index.ts'
import { useStore } from '../../testing/operations/use-store.ts'
import { EVALUATION_CLAIM_MS, EVALUATION_HUNG_MS } from '../kernel/index.ts'
import { claimEvaluations } from '../wallets/index.ts'
import { keepClaims } from './keep-claims.ts'

// `evaluate-due-wallets.test.ts` tests what renewed claims hold.

const store = useStore()

async function claimTwo() {
  await store.db.updateTable('operational_wallets').set({ due_at: null }).execute()
  const wallets = [
    await store.operationalWallet(await store.wallet()),
    await store.operationalWallet(await store.wallet()),
  ]
  const ids = wallets.map(({ opWalletId }) => opWalletId)
  await store.db.updateTable('operational_wallets').set({ due_at: store.clock.now() }).where('id', 'in', ids).execute()
  return claimEvaluations(store.db, store.clock.now(), 10)
}

test('renews what is left, and no longer what was ended', async () => {
  const [one, other] = await claimTwo()
  const before = one!.until
  const kept = keepClaims(store, [one!, other!], 10)
  kept.end([one!])
  store.clock.advance(5_000)
  await until(() => other!.until.getTime() === store.clock.now().getTime() + EVALUATION_CLAIM_MS)
  kept.stop()
  expect(one!.until).toEqual(before)
  expect(kept.left()).toEqual([other])
})

test('lets claims lapse when no evaluation ends for a minute, and until then renews them', async () => {
  const [one, other] = await claimTwo()
  let asked = 0
  const now = () => {
    asked += 1
    return store.clock.now()
  }
  const isRenewed = () => other!.until.getTime() === store.clock.now().getTime() + EVALUATION_CLAIM_MS
  const kept = keepClaims({ db: store.db, clock: { ...store.clock, now } }, [one!, other!], 10)
  store.clock.advance(EVALUATION_HUNG_MS - 1)
  await until(isRenewed)
  kept.end([one!])
  store.clock.advance(EVALUATION_HUNG_MS - 1)
  await until(isRenewed)
  store.clock.advance(1)
  const before = asked
  await until(() => asked > before + 3)
  kept.stop()
  expect(isRenewed()).toBe(false)
})
