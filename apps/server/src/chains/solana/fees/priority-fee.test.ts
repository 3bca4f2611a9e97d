import { afterAll, beforeAll, expect, test } from 'vitest'
import { newKey, startTestSolana, type TestSolana } from '../../../../testing/chains/test-solana.ts'
import type { Fetch } from '../../rpc/endpoint.ts'
import { COMPUTE_BUDGET_PROGRAM } from '../addresses/programs.ts'
import { transferNative } from '../transactions/instructions.ts'
import { decodeMessage, decodeTransaction } from '../transactions/message.ts'
import { priorityFee } from './priority-fee.ts'

let solana: TestSolana
beforeAll(async () => {
  solana = await startTestSolana()
})
afterAll(() => solana?.stop())

const paid = (...fees: readonly number[]) => fees.map((prioritizationFee) => ({ prioritizationFee }))

test('the fee is the percentile of recent blocks, and never above the cap', () => {
  const recent = paid(900, 0, 100, 300, 200, 0, 400, 500)
  const max = 10_000n
  expect(priorityFee(recent, { percentile: 50, max })).toBe(300n)
  expect(priorityFee(recent, { percentile: 75, max })).toBe(500n)
  expect(priorityFee(recent, { percentile: 100, max })).toBe(900n)
  expect(priorityFee(recent, { percentile: 100, max: 450n })).toBe(450n)
  expect(priorityFee([], { percentile: 75, max })).toBe(0n)
})

test('the priority fee follows other offers for the market’s accounts, is part of the bytes and of the fee, and is paid', async () => {
  const [one, other] = [await newKey(), await newKey()]
  const queriedAccounts: unknown[] = []
  const busy: Fetch = async (url, init) => {
    const responses = (await (await fetch(url, init)).json()) as { id: number; result?: unknown }[]
    const requests = JSON.parse(String(init.body)) as { method: string; params: unknown[] }[]
    for (const response of responses) {
      const request = requests[response.id]!
      if (request.method !== 'getRecentPrioritizationFees') continue
      queriedAccounts.push(request.params)
      response.result = paid(1_000_000, 2_000_000, 9_000_000)
    }
    return Response.json(responses)
  }
  const priorityFees = { percentile: 50, max: 1_500_000n }
  const chain = solana.byWallets(busy, { busyAccounts: [one.address, other.address], priorityFees })
  const senderState = await chain.senderState(solana.treasury.address)
  expect(queriedAccounts).toEqual([[[one.address, other.address]]])
  expect(senderState.priorityFee).toBe(1_500_000n)
  const gas = 10_000n
  expect(chain.networkFee([gas], senderState)).toBe(5_000n + 15_000n)

  const instructions = [transferNative(solana.treasury.address, one.address, 10_000_000n)]
  const call = { family: 'svm', instructions } as const
  const { bytes } = chain.encode({
    sender: solana.treasury.address,
    call,
    nonce: null,
    gas,
    senderState,
    transactionId: 1,
  })
  const { instructions: written } = decodeMessage(decodeTransaction(bytes).messageBytes)
  const budget = written.filter(({ program }) => program === COMPUTE_BUDGET_PROGRAM)
  expect(budget.map(({ data }) => Buffer.from(data, 'base64')[0])).toEqual([2, 3])
  expect(Buffer.from(budget[1]!.data, 'base64').readBigUInt64LE(1)).toBe(1_500_000n)
})
