import {
  cancelOperation,
  expireOverdue,
  getOperations,
  planSupply,
  planUnwind,
  recover,
  submitHash,
  submitSigned,
  unsignedTransactions,
} from '../../src/operations/index.ts'
import { strategiesOnChain } from '../../src/venues/index.ts'
import { expectHonestPlan, expectSameEffect, nonceBefore } from '../checks/plan.ts'
import type { Play } from '../play.ts'
import type { Random } from '../random.ts'
import { hashOf } from '../world/raw.ts'
import type { Account, HandedOut, Holder } from './holder.ts'

/** Something that somebody does in one step: clients, their chain, time, or the machine that the service runs on. */
export interface Action {
  readonly name: string
  /** How often it is done, beside the others. */
  readonly weight: number
  readonly act: (play: Play, random: Random) => Promise<void>
}

const holderOf = (play: Play, random: Random): Holder =>
  random.pick(play.holders.filter(({ accounts }) => accounts.length > 0))
const bytesOf = (holder: Holder, random: Random): HandedOut | undefined =>
  // Mostly the newest; any other may have been superseded, cancelled, expired or landed long ago.
  random.chance(0.7) ? holder.handedOut.slice(-3)[random.int(3)] : holder.handedOut[random.int(holder.handedOut.length)]

async function supply(
  play: Play,
  holder: Holder,
  account: Account,
  random: Random,
  alone: boolean,
): Promise<() => Promise<void>> {
  const market = random.pick(play.world.markets)
  const strategy = (await strategiesOnChain(play.books.db, 'polygon')).find(({ key }) => key === market.key)!
  const amount = random.part(holder.balance(market.token), 1, random.chance(0.1) ? 130 : 70)
  const { sight, walletId } = account
  const nonce = alone ? await nonceBefore(play, holder.address) : undefined
  return async () => {
    const operation = await planSupply(play.service.parts, {
      sight,
      walletId,
      strategyId: strategy.id,
      amount: amount.toString(),
      tokenAddress: market.token,
    })
    holder.receive(account, operation.transactions)
    expectHonestPlan(play, holder, operation, market, amount, nonce)
  }
}

async function unwind(
  play: Play,
  holder: Holder,
  account: Account,
  random: Random,
  alone: boolean,
): Promise<() => Promise<void>> {
  const market = random.pick(play.world.markets)
  const strategy = (await strategiesOnChain(play.books.db, 'polygon')).find(({ key }) => key === market.key)!
  const full = random.chance(0.4)
  const amount = BigInt(random.between(1_000, 900_000_000))
  const { sight, walletId } = account
  const nonce = alone ? await nonceBefore(play, holder.address) : undefined
  const what = full ? { fullWithdrawal: true } : { amount: amount.toString() }
  return async () => {
    const operation = await planUnwind(play.service.parts, { sight, walletId, strategyId: strategy.id, ...what })
    holder.receive(account, operation.transactions)
    expectHonestPlan(play, holder, operation, market, full ? undefined : amount, nonce)
  }
}

function submit(play: Play, holder: Holder, bytes: HandedOut, feePercent = 100n): () => Promise<unknown> {
  const { account, transaction } = bytes
  const { operationId } = transaction
  const signedTransaction = holder.sign(bytes, feePercent)
  return () => submitSigned(play.service.parts, { sight: account.sight, operationId, signedTransaction })
}

const named = ({ transaction }: HandedOut) =>
  `${transaction.kind} ${transaction.transactionId} of operation ${transaction.operationId} with nonce ${transaction.nonce}`

export async function follow(play: Play): Promise<void> {
  await play.request('follow', () => play.service.round(new AbortController().signal))
}

export const ACTIONS: readonly Action[] = [
  {
    name: 'plan a supply',
    weight: 10,
    async act(play, random) {
      const holder = holderOf(play, random)
      await play.request('supply', await supply(play, holder, random.pick(holder.accounts), random, true))
    },
  },
  {
    name: 'plan an unwind',
    weight: 7,
    async act(play, random) {
      const holder = holderOf(play, random)
      await play.request('unwind', await unwind(play, holder, random.pick(holder.accounts), random, true))
    },
  },
  {
    name: 'plan side by side',
    weight: 3,
    async act(play, random) {
      const works = []
      for (let count = random.between(2, 3); count > 0; count -= 1) {
        const holder = holderOf(play, random)
        const plan = random.chance(0.6) ? supply : unwind
        works.push(['plan', await plan(play, holder, random.pick(holder.accounts), random, false)] as const)
      }
      await play.requests(works)
    },
  },
  {
    name: 'submit the next transaction',
    weight: 16,
    async act(play, random) {
      const holder = holderOf(play, random)
      const newest = holder.handedOut.at(-1)?.transaction.operationId
      const own = holder.handedOut.filter(({ transaction }) => transaction.operationId === newest)
      for (const bytes of own) {
        if (play.submitted.has(bytes.transaction.transactionId)) continue
        play.submitted.add(bytes.transaction.transactionId)
        await play.request(`submit ${named(bytes)}`, submit(play, holder, bytes))
        if (random.chance(0.4)) return
      }
    },
  },
  {
    name: 'submit whatever it has',
    weight: 5,
    async act(play, random) {
      const holder = holderOf(play, random)
      const bytes = bytesOf(holder, random)
      if (bytes) await play.request(`submit ${named(bytes)}`, submit(play, holder, bytes))
    },
  },
  {
    name: 'submit the same twice at once',
    weight: 2,
    async act(play, random) {
      const holder = holderOf(play, random)
      const bytes = bytesOf(holder, random)
      if (!bytes) return
      const name = `submit ${named(bytes)}`
      await play.requests([
        [name, submit(play, holder, bytes)],
        [name, submit(play, holder, bytes, random.chance(0.5) ? 100n : 120n)],
      ])
    },
  },
  {
    name: 'replace with higher fees',
    weight: 4,
    async act(play, random) {
      const holder = holderOf(play, random)
      const bytes = bytesOf(holder, random)
      const fee = BigInt(random.between(101, 200))
      if (bytes) await play.request(`submit ${named(bytes)} for ${fee} %`, submit(play, holder, bytes, fee))
    },
  },
  {
    name: 'send past the service',
    weight: 6,
    async act(play, random) {
      const holder = holderOf(play, random)
      const bytes = bytesOf(holder, random)
      if (!bytes) return
      const raw = holder.sign(bytes, BigInt(random.pick([100, 100, 115, 150])))
      holder.sent.push({ bytes, hash: hashOf(raw) })
      play.note(`  ${named(bytes)} as ${hashOf(raw).slice(0, 10)}: ${play.world.send(raw).outcome}`)
    },
  },
  {
    name: 'report a hash',
    weight: 4,
    async act(play, random) {
      const holder = holderOf(play, random)
      const bytes = bytesOf(holder, random)
      const sent = random.pick(holder.sent.slice(-4))
      if (!bytes || !sent) return
      // Mostly of the transaction that it is; else of another one, or of none that anybody knows.
      const told = random.chance(0.7) ? sent.bytes : bytes
      const txHash = random.chance(0.9) ? sent.hash : hashOf(`${random.next()}`)
      const { account, transaction } = told
      const { operationId, transactionId } = transaction
      const input = { sight: account.sight, operationId, txHash, ...(random.chance(0.5) ? { transactionId } : {}) }
      const verb = random.chance(0.6) ? submitHash : recover
      await play.request(`${verb.name} ${txHash.slice(0, 10)} for ${named(told)}`, () =>
        verb(play.service.parts, input),
      )
    },
  },
  {
    name: 'ask for the bytes again',
    weight: 4,
    async act(play, random) {
      const holder = holderOf(play, random)
      const bytes = bytesOf(holder, random)
      if (!bytes) return
      const { account, transaction } = bytes
      await play.request(`bytes of operation ${transaction.operationId}`, async () => {
        const waiting = await unsignedTransactions(play.service.parts, account.sight, transaction.operationId)
        expectSameEffect(holder, waiting)
        holder.receive(account, waiting)
        play.note(waiting.map((one) => `  ${named({ account, transaction: one })}`).join('\n'))
      })
    },
  },
  {
    name: 'use a nonce for something else',
    weight: 2,
    async act(play, random) {
      const holder = holderOf(play, random)
      const own = random.chance(0.5) ? play.world.latest.state.nonce(holder.address) : undefined
      play.note(`  ${holder.send(holder.address, '0x', own)}`)
    },
  },
  {
    name: 'send tokens away',
    weight: 4,
    async act(play, random) {
      const holder = holderOf(play, random)
      const { token } = random.pick(play.world.markets)
      play.note(`  ${holder.transfer(token, play.stranger.address, random.part(holder.balance(token), 1, 60))}`)
    },
  },
  {
    name: 'receive tokens',
    weight: 3,
    async act(play, random) {
      const holder = holderOf(play, random)
      const { token } = random.pick(play.world.markets)
      const giver = random.pick([play.stranger, ...play.holders.filter((other) => other !== holder)])
      play.note(`  ${giver.transfer(token, holder.address, random.part(giver.balance(token), 1, 30))}`)
    },
  },
  {
    name: 'deposit outside',
    weight: 3,
    async act(play, random) {
      const holder = holderOf(play, random)
      const market = random.pick(play.world.markets)
      const amount = random.part(holder.balance(market.token), 1, 40)
      const owner = random.chance(0.6) ? holder.address : random.pick(play.holders).address
      play.note(`  ${holder.approve(market, amount)} ${holder.deposit(market, amount, owner)}`)
    },
  },
  {
    name: 'leave an allowance standing',
    weight: 2,
    async act(play, random) {
      const holder = holderOf(play, random)
      play.note(`  ${holder.approve(random.pick(play.world.markets), BigInt(random.between(0, 1_000_000_000)))}`)
    },
  },
  {
    name: 'give shares away',
    weight: 2,
    async act(play, random) {
      const holder = holderOf(play, random)
      const { share } = random.pick(play.world.markets)
      const to = random.chance(0.4) ? random.pick(play.holders).address : play.stranger.address
      const held = holder.balance(share)
      if (held > 0n) play.note(`  ${holder.transfer(share, to, random.part(held, 1, 100))}`)
    },
  },
  {
    name: 'cancel',
    weight: 4,
    async act(play, random) {
      const holder = holderOf(play, random)
      const bytes = bytesOf(holder, random)
      if (!bytes) return
      const { account, transaction } = bytes
      await play.request(`cancel ${transaction.operationId}`, () =>
        cancelOperation(play.service.parts, account.sight, transaction.operationId),
      )
    },
  },
  {
    name: 'look at the operations',
    weight: 2,
    async act(play, random) {
      const { sight } = random.pick(holderOf(play, random).accounts)
      await play.request('look', () => getOperations(play.service.parts, sight, {}, { limit: 20, offset: 0 }))
    },
  },
  {
    name: 'register an address that another organization has',
    weight: 1,
    async act(play, random) {
      await random.pick(play.holders).register(random.pick(play.organizations))
    },
  },
  {
    name: 'mine',
    weight: 22,
    async act(play, random) {
      for (
        let count = random.weighted([
          [6, 1],
          [3, 2],
          [1, 5],
        ] as const);
        count > 0;
        count -= 1
      )
        play.world.mine()
    },
  },
  {
    name: 'follow the chain',
    weight: 22,
    act: (play) => follow(play),
  },
  {
    name: 'follow, and be asked to stop',
    weight: 2,
    async act(play, random) {
      const stop = new AbortController()
      const turns = random.between(1, 12)
      await play.requests([
        ['follow', () => play.service.round(stop.signal)],
        ['stop', () => play.service.wait(turns).then(() => stop.abort())],
      ])
    },
  },
  {
    name: 'follow while a client acts',
    weight: 3,
    async act(play, random) {
      const holder = holderOf(play, random)
      const bytes = bytesOf(holder, random)
      const account = random.pick(holder.accounts)
      const other: readonly [string, () => Promise<unknown>] =
        bytes && random.chance(0.6)
          ? [`submit ${named(bytes)}`, submit(play, holder, bytes)]
          : ['plan', await supply(play, holder, account, random, false)]
      await play.requests<unknown>([['follow', () => play.service.round(new AbortController().signal)], other])
    },
  },
  {
    name: 'reorganize',
    weight: 4,
    async act(play, random) {
      play.world.reorganize(random.between(1, 4), random.between(0, 1))
    },
  },
  {
    name: 'drop from the mempool',
    weight: 2,
    async act(play, random) {
      const hash = random.pick([...play.world.mempool.keys()])
      if (hash) play.world.mempool.delete(hash)
    },
  },
  {
    name: 'hold a transaction back',
    weight: 2,
    async act(play, random) {
      const waiting = random.pick([...play.world.mempool.values()])
      if (waiting) waiting.heldUntil = play.world.latest.number + random.between(2, 20)
    },
  },
  {
    name: 'let time pass',
    weight: 5,
    async act(play, random) {
      play.clock.advance(random.pick([1_000, 6_000, 30_000, 125_000, 600_000]))
      await play.request('expire', () => expireOverdue(play.service.parts))
    },
  },
  {
    name: 'let the chain grow old',
    weight: 3,
    async act(play, random) {
      play.world.pass(random.pick([60, 3_700, 86_400, 7 * 86_400]))
      play.world.mine()
    },
  },
  {
    name: 'change what a market and gas are like',
    weight: 2,
    async act(play, random) {
      const { world } = play
      const { contract } = random.pick(world.markets)
      if (random.chance(0.5) || !world.closed.delete(contract)) world.closed.clear()
      if (random.chance(0.3)) world.closed.add(contract)
      world.gasPercent = random.chance(0.15) ? 300n : 100n
      world.baseFee = random.chance(0.15) ? 200_000_000_000n : 30_000_000_000n
    },
  },
  {
    name: 'restart the service',
    weight: 1,
    async act(play) {
      play.service.restart()
    },
  },
]
