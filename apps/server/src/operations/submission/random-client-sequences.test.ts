import fc from 'fast-check'
import { encodeFunctionData, erc20Abi } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestChain, type TestChain } from '../../../testing/chains/test-chain.ts'
import { draws } from '../../../testing/draws.ts'
import { expectLedgerMatchesChain, expectValidLedger, unfinished } from '../../../testing/ledger/expect-ledger.ts'
import { anyState } from '../../../testing/operations/any-state.ts'
import { type EngineFixture, startEngineFixture } from '../../../testing/operations/engine-fixture.ts'
import type { TestClient } from '../../../testing/operations/test-client.ts'
import { USDC } from '../../../testing/units.ts'
import type { TransactionStatus } from '../../database/index.ts'
import { Failure } from '../../kernel/index.ts'
import { cancelOperation, expireOverdue, getOperations, type Operation } from '../index.ts'

const AAVE = 'aave-v3:polygon:USDC'
const VAULT = 'erc4626:polygon:USDC'

/** The actions of a step with their weights. */
const ACTIONS = {
  supply: 14,
  unwind: 14,
  submit: 22,
  replace: 4,
  'send past the service': 6,
  'use a nonce': 2,
  receive: 4,
  spend: 5,
  'give shares away': 3,
  cancel: 4,
  'let time pass': 4,
  'let a month pass': 2,
  'stop or resume mining': 4,
  drop: 3,
  reorganize: 2,
  settle: 14,
} as const

/** One step of a client, its chain, or time. `pick` selects the operation or transaction. */
const steps = fc.record({
  act: fc.oneof(
    ...Object.entries(ACTIONS).map(([act, weight]) => ({
      weight,
      arbitrary: fc.constant(act as keyof typeof ACTIONS),
    })),
  ),
  who: fc.nat({ max: 1 }),
  where: fc.constantFrom(AAVE, AAVE, VAULT),
  percent: fc.integer({ min: 1, max: 100 }),
  pick: fc.nat({ max: 9 }),
})
type Step = typeof steps extends fc.Arbitrary<infer Drawn> ? Drawn : never

/** A client, and another organization that registered the same address. */
class ClientScenario {
  readonly engine: EngineFixture
  readonly clients: readonly TestClient[]
  readonly confirmations: number
  mining = true

  constructor(engine: EngineFixture, clients: readonly TestClient[], confirmations: number) {
    this.engine = engine
    this.clients = clients
    this.confirmations = confirmations
  }

  async step(step: Step): Promise<void> {
    try {
      await this.act(step)
    } catch (error) {
      // A refusal is a valid result that changes nothing; any other error is a defect.
      if (!(error instanceof Failure) && !String(error).includes('eth_sendRawTransaction')) throw error
    }
    await expectValidLedger(this.engine)
  }

  private async act({ act, who, where, percent, pick }: Step): Promise<void> {
    const { engine } = this
    const client = this.clients[who]!
    const part = (amount: bigint) => (amount * BigInt(percent)) / 100n
    switch (act) {
      case 'supply':
        await client.supply(part(await client.usdc()), where)
        return
      case 'unwind':
        await client.unwind(percent > 60 ? 'full' : BigInt(percent) * 5n * USDC, where)
        return
      case 'submit':
        for (const { owner, operation } of await this.operations()) {
          if (operation.state !== 'EXECUTING') continue
          const waiting = operation.transactions.map(anyState).filter(({ submittedAt }) => submittedAt === null)
          // All in order, or only the next one.
          for (const next of percent > 30 ? waiting : waiting.slice(0, 1)) {
            await owner.submit(operation, await owner.sign(next))
          }
        }
        return
      case 'replace': {
        const [pending] = await this.transactions('pending')
        if (!pending) return
        const { owner, transaction } = pending
        await owner.submit(transaction, await owner.sign(transaction, { feePercent: 100n + BigInt(percent) }))
        return
      }
      case 'send past the service': {
        const unsettled = await this.transactions('unsigned', 'pending', 'failed')
        const picked = unsettled[pick % Math.max(1, unsettled.length)]
        if (picked) await picked.owner.send(picked.transaction, { feePercent: percent > 60 ? 100n : 130n })
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
        const { params } = engine.strategy(AAVE)
        const [shares] = await engine.chain.balances([{ owner: client.address, token: params.aToken! }])
        const args = [engine.dev.deployment.lender, part(shares!)] as const
        const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
        await engine.dev.call(client.account, params.aToken!, data)
        return
      }
      case 'cancel': {
        const all = await this.operations()
        const picked = all[pick % Math.max(1, all.length)]
        if (picked) await cancelOperation(engine.parts, picked.owner.scope, picked.operation.operationId)
        return
      }
      case 'let time pass':
        engine.clock.advance(percent * 2_000)
        await expireOverdue(engine.parts)
        return
      case 'let a month pass':
        await engine.dev.increaseTime(30 * 86_400)
        return
      case 'stop or resume mining':
        this.mining = !this.mining
        await engine.dev.mineAtOnce(this.mining)
        return
      case 'drop': {
        const [pending] = await this.transactions('pending')
        if (pending) await engine.dev.rpc('anvil_dropTransaction', anyState(pending.transaction).txHash)
        return
      }
      case 'reorganize':
        // No chain reorganizes below its final block.
        if (this.confirmations > 1) await engine.dev.rpc('anvil_reorg', 1 + (pick % (this.confirmations - 1)), [])
        return
      case 'settle':
        if (this.mining) await engine.settle()
        else await engine.followOnce()
        await this.expectChain()
    }
  }

  expectChain(): Promise<void> {
    return expectLedgerMatchesChain(
      this.engine,
      this.clients.map(({ wallet }) => wallet.walletId),
    )
  }

  /** Advances time until nothing is left to happen. */
  async settleAll(): Promise<void> {
    const { engine } = this
    await engine.dev.mineAtOnce(true)
    // Bytes behind an abandoned nonce wait in the pool until they time out.
    for (const seconds of [125, 125, 125, 1_800, 125]) {
      await engine.settle()
      engine.clock.advance(seconds * 1_000)
      await expireOverdue(engine.parts)
      await expectValidLedger(engine)
    }
    await engine.settle()
  }

  /** Those of both clients, newest first. */
  private async operations(): Promise<{ owner: TestClient; operation: Operation }[]> {
    const all = this.clients.map(async (owner) => {
      const { operations } = await getOperations(this.engine.parts, owner.scope, {}, { limit: 100, offset: 0 })
      return operations.map((operation) => ({ owner, operation }))
    })
    return (await Promise.all(all)).flat()
  }

  private async transactions(...states: TransactionStatus[]) {
    return (await this.operations()).flatMap(({ owner, operation }) =>
      operation.transactions
        .filter(({ status }) => states.includes(status))
        .map((transaction) => ({ owner, transaction })),
    )
  }
}

let dev: TestChain
beforeAll(async () => {
  dev = await startTestChain()
})
afterAll(() => dev?.stop())

/** For new ones, or to repeat a failure: `RUNS=200` or `SEED=7`, then npx vitest run random-client-sequences. */
const DRAWS = draws('', { numRuns: 8, seed: 20_260_306 })

describe.each([1, 3])('with finality after %i blocks', (confirmations) => {
  let fixture: EngineFixture
  beforeAll(async () => {
    fixture = await startEngineFixture(dev, { confirmations })
  })
  afterAll(() => fixture?.close())

  test(
    'the ledger balances after every step; in the end nothing is reserved, missing or unfinished',
    { timeout: 3_000_000 },
    () =>
      fc.assert(
        fc.asyncProperty(fc.array(steps, { minLength: 8, maxLength: 15 }), async (sequence) => {
          const first = await fixture.client({ usdc: 1_000n * USDC })
          const twin = await fixture.duplicateClient(first)
          await fixture.settle()
          await first.complete(await first.supply(400n * USDC))
          const scenario = new ClientScenario(fixture, [first, twin], confirmations)
          try {
            for (const step of sequence) await scenario.step(step)
            await scenario.settleAll()
            await expectValidLedger(fixture)
            await scenario.expectChain()
            for (const { wallet } of [first, twin]) expect(await unfinished(fixture, wallet.walletId)).toEqual([])
            const breaks = await fixture.db
              .selectFrom('ledger_breaks')
              .selectAll()
              .where('closed_at', 'is', null)
              .execute()
            expect(breaks).toEqual([])
          } finally {
            await dev.mineAtOnce(true)
          }
        }),
        { ...DRAWS, endOnFailure: true },
      ),
  )
})
