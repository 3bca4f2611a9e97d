import fc from 'fast-check'
import { encodeFunctionData, erc20Abi } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectBooks, expectChain, unfinished } from '../../testing/expect-books.ts'
import {
  type Client,
  type MainJob,
  startMainJob,
  startTestChain,
  type TestChain,
  USDC,
} from '../../testing/main-job.ts'
import { Failure } from '../kernel/index.ts'
import { cancelOperation, expireOverdue, getOperations, type Operation } from './index.ts'

const AAVE = 'aave-v3:polygon:USDC'
const VAULT = 'erc4626:polygon:USDC'

/** One step of a client, its chain, or time. Which operation or transaction it is about is drawn by `pick`. */
const steps = fc.record({
  act: fc.oneof(
    { weight: 5, arbitrary: fc.constant('supply' as const) },
    { weight: 3, arbitrary: fc.constant('unwind' as const) },
    { weight: 8, arbitrary: fc.constant('submit' as const) },
    { weight: 2, arbitrary: fc.constant('replace' as const) },
    { weight: 3, arbitrary: fc.constant('send past the service' as const) },
    { weight: 1, arbitrary: fc.constant('use a nonce' as const) },
    { weight: 2, arbitrary: fc.constant('receive' as const) },
    { weight: 2, arbitrary: fc.constant('spend' as const) },
    { weight: 1, arbitrary: fc.constant('give shares away' as const) },
    { weight: 2, arbitrary: fc.constant('cancel' as const) },
    { weight: 2, arbitrary: fc.constant('let time pass' as const) },
    { weight: 1, arbitrary: fc.constant('let a month pass' as const) },
    { weight: 2, arbitrary: fc.constant('stop or resume mining' as const) },
    { weight: 1, arbitrary: fc.constant('drop' as const) },
    { weight: 1, arbitrary: fc.constant('reorganize' as const) },
    { weight: 6, arbitrary: fc.constant('settle' as const) },
  ),
  who: fc.nat({ max: 1 }),
  where: fc.constantFrom(AAVE, VAULT),
  percent: fc.integer({ min: 1, max: 120 }),
  pick: fc.nat({ max: 9 }),
})
type Step = { act: string; who: number; where: string; percent: number; pick: number }

/** A client, and another organization that registered the same address. */
class Play {
  readonly job: MainJob
  readonly clients: readonly Client[]
  readonly confirmations: number
  mining = true

  constructor(job: MainJob, clients: readonly Client[], confirmations: number) {
    this.job = job
    this.clients = clients
    this.confirmations = confirmations
  }

  async step(step: Step): Promise<void> {
    try {
      await this.act(step)
    } catch (error) {
      // A refusal is an answer, and must have changed nothing; anything else is a defect.
      if (!(error instanceof Failure) && !String(error).includes('eth_sendRawTransaction')) throw error
    }
    await expectBooks(this.job)
  }

  private async act({ act, who, where, percent, pick }: Step): Promise<void> {
    const { job } = this
    const client = this.clients[who]!
    const part = (amount: bigint) => (amount * BigInt(percent)) / 100n
    switch (act) {
      case 'supply':
        await client.supply(part(await client.usdc()), where)
        return
      case 'unwind':
        await client.unwind(percent > 60 ? 'full' : BigInt(percent) * 20n * USDC, where)
        return
      case 'submit': {
        const operation = (await this.operations(client)).find(({ state }) => state === 'EXECUTING')
        const next = operation?.transactions.find(({ submittedAt }) => submittedAt === null)
        if (operation && next) await client.submit(operation, await client.sign(next))
        return
      }
      case 'replace': {
        const pending = (await this.transactions(client)).find(({ state }) => state === 'pending')
        if (!pending) return
        await client.submit(pending, await client.sign(pending, { feePercent: 100n + BigInt(percent) }))
        return
      }
      case 'send past the service': {
        const all = await this.transactions(client)
        const one = all[pick % Math.max(1, all.length)]
        if (one) await client.send(one, { feePercent: percent > 60 ? 100n : 130n })
        return
      }
      case 'use a nonce':
        await client.useNonce()
        return
      case 'receive':
        if (this.mining) await client.receive(BigInt(percent) * 10n * USDC)
        return
      case 'spend':
        await client.spend(part(await client.usdc()))
        return
      case 'give shares away': {
        const { params } = job.strategy(AAVE)
        const [shares] = await job.chain.balances([{ owner: client.address, token: params.aToken! }])
        const args = [job.dev.deployment.lender, part(shares!)] as const
        const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
        await job.dev.call(client.account, params.aToken!, data)
        return
      }
      case 'cancel': {
        const all = await this.operations(client)
        const one = all[pick % Math.max(1, all.length)]
        if (one) await cancelOperation(job.parts, client.sight, one.operationId)
        return
      }
      case 'let time pass':
        job.clock.advance(percent * 2_000)
        await expireOverdue(job.parts)
        return
      case 'let a month pass':
        await job.dev.increaseTime(30 * 86_400)
        return
      case 'stop or resume mining':
        this.mining = !this.mining
        await job.dev.mineAtOnce(this.mining)
        return
      case 'drop': {
        const pending = (await this.transactions(client)).find(({ state }) => state === 'pending')
        if (pending?.txHash) await job.dev.rpc('anvil_dropTransaction', pending.txHash)
        return
      }
      case 'reorganize':
        // Deeper than what counts as final, no chain reorganizes.
        if (this.confirmations > 1) await job.dev.rpc('anvil_reorg', 1 + (pick % (this.confirmations - 1)), [])
        return
      case 'settle':
        if (this.mining) await job.settle()
        else await job.round()
        await expectChain(job)
    }
  }

  /** Time passes until nothing is left to happen. */
  async comeToRest(): Promise<void> {
    const { job } = this
    await job.dev.mineAtOnce(true)
    for (let turns = 0; turns < 5; turns += 1) {
      await job.settle()
      job.clock.advance(125_000)
      await expireOverdue(job.parts)
      await expectBooks(job)
    }
    await job.settle()
  }

  private async operations(client: Client): Promise<Operation[]> {
    return (await getOperations(job(this), client.sight, {}, { limit: 100, offset: 0 })).operations
  }

  private async transactions(client: Client) {
    return (await this.operations(client)).flatMap(({ transactions }) => transactions)
  }
}

const job = (play: Play) => play.job.parts

let dev: TestChain
beforeAll(async () => {
  dev = await startTestChain()
})
afterAll(() => dev?.stop())

const RUNS = Number(process.env.RUNS ?? 8)
const SEED = process.env.SEED ? { seed: Number(process.env.SEED) } : {}

describe.each([1, 3])('with finality after %i blocks', (confirmations) => {
  let books: MainJob
  beforeAll(async () => {
    books = await startMainJob(dev, { confirmations })
  })
  afterAll(() => books?.close())

  test(
    'after every step of any sequence the books are whole; when it comes to rest nothing is held, missing or unfinished',
    { timeout: 3_000_000 },
    () =>
      fc.assert(
        fc.asyncProperty(fc.array(steps, { minLength: 8, maxLength: 15 }), async (sequence) => {
          const first = await books.client({ usdc: 1_000n * USDC })
          const twin = await books.twin(first)
          await books.settle()
          const play = new Play(books, [first, twin], confirmations)
          try {
            for (const step of sequence) await play.step(step)
            await play.comeToRest()
            await expectBooks(books)
            await expectChain(books)
            for (const { wallet } of [first, twin]) expect(await unfinished(books, wallet.walletId)).toEqual([])
            const breaks = await books.db
              .selectFrom('ledger_breaks')
              .selectAll()
              .where('closed_at', 'is', null)
              .execute()
            expect(breaks).toEqual([])
          } finally {
            await dev.mineAtOnce(true)
          }
        }),
        { numRuns: RUNS, endOnFailure: true, ...SEED },
      ),
  )
})
