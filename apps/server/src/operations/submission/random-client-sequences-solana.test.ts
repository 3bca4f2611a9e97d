import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sign, startTestSolana, type TestSolana } from '../../../testing/chains/test-solana.ts'
import { draws } from '../../../testing/draws.ts'
import { expectLedgerMatchesChain, expectValidLedger, unfinished } from '../../../testing/ledger/expect-ledger.ts'
import { anyState } from '../../../testing/operations/any-state.ts'
import {
  type SolanaClient,
  type SolanaFixture,
  startSolanaFixture,
} from '../../../testing/operations/solana-fixture.ts'
import { USDC } from '../../../testing/units.ts'
import {
  associatedTokenAddress,
  createAssociatedTokenIdempotent,
  type SvmChain,
  TOKEN_PROGRAM,
  u64,
  writableAccount,
} from '../../chains/index.ts'
import type { Fetch } from '../../chains/rpc/endpoint.ts'
import { createSolanaChain } from '../../chains/solana/create-solana-chain.ts'
import { BLOCKHASH_MARGIN_BLOCKS, Failure, silentLog, systemClock } from '../../kernel/index.ts'
import { cancelOperation, expireOverdue, getOperations, issueUnsignedTransactions, type Operation } from '../index.ts'

/** The actions of a step with their weights. */
const ACTIONS = {
  supply: 14,
  unwind: 12,
  submit: 18,
  'send past the service': 8,
  'send old bytes': 5,
  'request new bytes': 5,
  receive: 4,
  spend: 4,
  cancel: 4,
  'let time pass': 4,
  'let a month pass': 2,
  'let bytes die': 4,
  drop: 3,
  delay: 3,
  fail: 2,
  'lose responses': 6,
  mine: 4,
  settle: 14,
} as const

const steps = fc.record({
  act: fc.oneof(
    ...Object.entries(ACTIONS).map(([act, weight]) => ({
      weight,
      arbitrary: fc.constant(act as keyof typeof ACTIONS),
    })),
  ),
  who: fc.nat({ max: 1 }),
  percent: fc.integer({ min: 1, max: 100 }),
  pick: fc.nat({ max: 9 }),
})
type Step = typeof steps extends fc.Arbitrary<infer Drawn> ? Drawn : never

/** How many of the next responses are lost, although the node handled the request. */
let responsesToLose = 0
const losing: Fetch = async (url, init) => {
  const response = await fetch(url, init)
  if (responsesToLose === 0) return response
  responsesToLose -= 1
  await response.text()
  throw new TypeError('fetch failed', { cause: { code: 'ETIMEDOUT' } })
}

/** Two wallets, their ledger, and a service whose connection to the node loses responses. */
class ClientScenario {
  readonly engine: SolanaFixture
  readonly clients: readonly SolanaClient[]
  /** Signed bytes that a client keeps and may send at any time. */
  readonly signedBytes: string[] = []

  constructor(engine: SolanaFixture, clients: readonly SolanaClient[]) {
    this.engine = engine
    this.clients = clients
  }

  async step(step: Step): Promise<void> {
    try {
      await this.act(step)
    } catch (error) {
      // A refusal is a valid result that changes nothing; any other error is a defect.
      const isExpectedRejection = / did not land$|^Error: not accepted/.test(String(error))
      if (!(error instanceof Failure) && !isExpectedRejection) throw error
    }
    await expectValidLedger(this.engine)
  }

  private async act({ act, who, percent, pick }: Step): Promise<void> {
    const { engine } = this
    const { devnet } = engine.solana
    const client = this.clients[who]!
    const signers = [client.key.address]
    const picked = (await this.waiting())[pick % Math.max(1, (await this.waiting()).length)]
    switch (act) {
      case 'supply':
        await client.supply(((await client.usdc()) * BigInt(percent)) / 100n)
        return
      case 'unwind':
        await client.unwind(percent > 60 ? 'full' : BigInt(percent) * 5n * USDC)
        return
      case 'submit':
        if (picked) await picked.owner.submit(picked.operation, await this.signed(picked))
        return
      case 'send past the service':
        if (picked) await engine.solana.chain.broadcast(await this.signed(picked))
        return
      case 'send old bytes': {
        const old = this.signedBytes[pick % Math.max(1, this.signedBytes.length)]
        if (old) await engine.solana.chain.broadcast(old)
        return
      }
      case 'request new bytes':
        if (picked) {
          const { owner, operation } = picked
          await issueUnsignedTransactions(engine.parts, owner.scope, operation.operationId, { discard: percent > 80 })
        }
        return
      case 'receive':
        await engine.solana.fund(client.key.address, engine.strategy.tokenAddress, BigInt(percent) * USDC)
        return
      case 'spend':
        await this.pay(client, this.clients[1 - who]!, ((await client.usdc()) * BigInt(percent)) / 100n)
        return
      case 'cancel':
        if (picked) await cancelOperation(engine.parts, picked.owner.scope, picked.operation.operationId)
        return
      case 'let time pass':
        engine.clock.advance(percent * 2_000)
        await expireOverdue(engine.parts)
        return
      case 'let a month pass':
        await devnet.increaseTime(30 * 86_400)
        return
      case 'let bytes die':
        await devnet.mine(pick % 2 === 0 ? 151 : 151 + BLOCKHASH_MARGIN_BLOCKS)
        return
      case 'drop':
        await devnet.setFault({ fault: 'drop_next', count: 1, signers })
        return
      case 'delay':
        await devnet.setFault({ fault: 'delay_next', count: 1, signers })
        return
      case 'fail':
        await devnet.setFault({ fault: 'revert_next', count: 1, signers })
        return
      case 'lose responses':
        responsesToLose = 1 + (pick % 3)
        return
      case 'mine':
        await devnet.mine(1 + pick)
        return
      case 'settle':
        await engine.settle()
        await expectLedgerMatchesChain({ db: engine.db, chain: engine.solana.chain }, this.walletIds())
    }
  }

  /** Advances time until nothing is left to happen. */
  async settleAll(): Promise<void> {
    const { engine } = this
    responsesToLose = 0
    for (const fault of ['drop_next', 'delay_next', 'revert_next'] as const) {
      await engine.solana.devnet.setFault({ fault, count: 0 })
    }
    for (const seconds of [125, 1_800, 125]) {
      await engine.settle(151 + BLOCKHASH_MARGIN_BLOCKS)
      engine.clock.advance(seconds * 1_000)
      await expireOverdue(engine.parts)
      await expectValidLedger(engine)
    }
    await engine.settle()
  }

  walletIds(): number[] {
    return this.clients.map(({ wallet }) => wallet.walletId)
  }

  /** Unsubmitted operations of both clients. */
  private async waiting(): Promise<{ owner: SolanaClient; operation: Operation }[]> {
    const all = this.clients.map(async (owner) => {
      const { operations } = await getOperations(this.engine.parts, owner.scope, {}, { limit: 100, offset: 0 })
      return operations
        .filter(({ transactions }) => transactions[0]?.status === 'unsigned')
        .map((operation) => ({ owner, operation }))
    })
    return (await Promise.all(all)).flat()
  }

  private async signed({ owner, operation }: { owner: SolanaClient; operation: Operation }): Promise<string> {
    const signed = await sign(owner.key, anyState(operation.transactions[0]!).unsignedBytes)
    this.signedBytes.push(signed)
    return signed
  }

  private async pay(from: SolanaClient, to: SolanaClient, amount: bigint): Promise<void> {
    const { tokenAddress } = this.engine.strategy
    const [own, other] = await Promise.all(
      [from, to].map(({ key }) => associatedTokenAddress(key.address, tokenAddress)),
    )
    const owner = { address: from.key.address, signer: true, writable: false }
    await this.engine.solana.send(from.key, [
      createAssociatedTokenIdempotent(from.key.address, to.key.address, tokenAddress, other!),
      {
        program: TOKEN_PROGRAM,
        accounts: [writableAccount(own!), writableAccount(other!), owner],
        data: Buffer.from([3, ...u64(amount)]).toString('base64'),
      },
    ])
  }
}

/** For new ones, or to repeat a failure: `RUNS=200` or `SEED=7`, then npx vitest run random-client-sequences-solana. */
const DRAWS = draws('', { numRuns: 2, seed: 20_260_307 })

const lossy = (solana: TestSolana, follow: 'blocks' | 'wallets'): SvmChain => {
  const { follow: _, ...network } = solana.byWallets().network
  return createSolanaChain({
    network: follow === 'wallets' ? { ...network, follow } : network,
    rpcUrls: [solana.devnet.url],
    log: silentLog,
    clock: systemClock,
    fault: { fetch: losing },
  })
}

describe.each(['blocks', 'wallets'] as const)('followed by its %s', (follow) => {
  let solana: TestSolana
  let fixture: SolanaFixture
  beforeAll(async () => {
    solana = await startTestSolana()
    fixture = await startSolanaFixture(solana, lossy(solana, follow))
  })
  afterAll(async () => {
    await fixture?.close()
    await solana?.stop()
  })

  test(
    'the ledger balances after every step; in the end nothing is reserved, missing, unfinished or outstanding',
    { timeout: 3_000_000 },
    () =>
      fc.assert(
        fc.asyncProperty(fc.array(steps, { minLength: 8, maxLength: 20 }), async (sequence) => {
          responsesToLose = 0
          const clients = [await fixture.client(1_000n * USDC), await fixture.client(1_000n * USDC)]
          await fixture.settle()
          await clients[0]!.complete(await clients[0]!.supply(400n * USDC))
          const scenario = new ClientScenario(fixture, clients)
          for (const step of sequence) await scenario.step(step)
          await scenario.settleAll()
          await expectLedgerMatchesChain({ db: fixture.db, chain: solana.chain }, scenario.walletIds())
          for (const walletId of scenario.walletIds()) expect(await unfinished(fixture, walletId)).toEqual([])
          const left = await Promise.all([
            fixture.db.selectFrom('ledger_breaks').selectAll().where('closed_at', 'is', null).execute(),
            fixture.db.selectFrom('transactions').select('id').where('can_still_land', '=', true).execute(),
            fixture.db.selectFrom('reservations').selectAll().where('released_at', 'is', null).execute(),
          ])
          expect(left).toEqual([[], [], []])
        }),
        DRAWS,
      ),
  )
})
