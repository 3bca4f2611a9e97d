import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { freshAddressOn } from '../testing/chains/fresh-address.ts'
import { startTestSolana, type TestSolana } from '../testing/chains/test-solana.ts'
import { type BenchEnvironment, tinyBenchEnvironment } from './bench-environment.ts'
import { fundWallets, payEach, type RoundCost, type SolanaFollower, startSolanaFollower } from './solana-followers.ts'

const FEW = 10
const MANY = 1_000
const ACTIVE = 3

let workplace: BenchEnvironment
let solana: TestSolana
let active: string[]
let few: SolanaFollower
let many: SolanaFollower

beforeAll(async () => {
  workplace = tinyBenchEnvironment(inject('postgresUrl'))
  solana = await startTestSolana()
  active = await fundWallets(solana, ACTIVE)
  const funded = [...active, ...(await fundWallets(solana, FEW))]
  const empty = Array.from({ length: MANY - FEW }, () => freshAddressOn('solana'))
  few = await startSolanaFollower(workplace, solana, { funded })
  many = await startSolanaFollower(workplace, solana, { funded, empty })
  // The first round begins at the head, the next one reads the past of every account.
  for (let round = 0; round < 3; round += 1) await rounds()
}, 120_000)
afterAll(async () => {
  await few?.close()
  await many?.close()
  await solana?.stop()
  await workplace.stop()
})

/** A round of each over the same slots. */
async function rounds(): Promise<[RoundCost, RoundCost]> {
  await solana.devnet.mine(1)
  return [await few.round(), await many.round()]
}

/** Four tokens have an account in each wallet, and a call reads a hundred of them. */
const readsOf = (wallets: number) => Math.ceil((wallets * 4) / 100)

function withoutReads({ calls: { getMultipleAccounts, ...others }, http, statements }: RoundCost) {
  return { others, http, statements }
}

test('a thousand idle wallets cost a quiet round the HTTP requests, statements and calls of ten, but for reads of accounts', async () => {
  const [ofFew, ofMany] = await rounds()
  expect(withoutReads(ofMany)).toEqual(withoutReads(ofFew))
  expect(ofMany.http).toBeLessThanOrEqual(4)
  // Both may also read rates, which takes as many calls in each.
  const [fewer, more] = [ofFew, ofMany].map(({ calls }) => calls.getMultipleAccounts!)
  expect(more! - fewer!).toBe(readsOf(MANY + ACTIVE) - readsOf(FEW + ACTIVE))
})

test('a round with payments asks about the wallets that got them, whatever number of others is idle', async () => {
  await payEach(solana, active)
  const [ofFew, ofMany] = await rounds()
  expect(withoutReads(ofMany)).toEqual(withoutReads(ofFew))
  expect(ofMany.calls).toMatchObject({ getSignaturesForAddress: ACTIVE, getTransaction: ACTIVE })
})
