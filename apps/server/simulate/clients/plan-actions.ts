import { cancelOperation, getOperations, issueUnsignedTransactions } from '../../src/operations/index.ts'
import { expectSameEffect } from '../checks/plan.ts'
import type { Action } from './action.ts'
import { bytesOf, clientOf, named, supply, unwind } from './requests.ts'

/** What clients do before they sign: plan, read, change their minds. */
export const PLANNING: readonly Action[] = [
  {
    name: 'plan a supply',
    weight: 10,
    async act(play, random) {
      const holder = clientOf(play, random)
      await play.request(
        'supply',
        await supply(play, { holder, account: random.pick(holder.accounts), random, alone: true }),
      )
    },
  },
  {
    name: 'plan an unwind',
    weight: 7,
    async act(play, random) {
      const holder = clientOf(play, random)
      await play.request(
        'unwind',
        await unwind(play, { holder, account: random.pick(holder.accounts), random, alone: true }),
      )
    },
  },
  {
    name: 'plan side by side',
    weight: 3,
    async act(play, random) {
      const works = []
      for (let count = random.between(2, 3); count > 0; count -= 1) {
        const holder = clientOf(play, random)
        const plan = random.chance(0.6) ? supply : unwind
        works.push([
          'plan',
          await plan(play, { holder, account: random.pick(holder.accounts), random, alone: false }),
        ] as const)
      }
      await play.requests(works)
    },
  },
  {
    name: 'cancel',
    weight: 4,
    async act(play, random) {
      const holder = clientOf(play, random)
      const bytes = bytesOf(holder, random)
      if (!bytes) return
      const { account, transaction } = bytes
      await play.request(`cancel ${transaction.operationId}`, () =>
        cancelOperation(play.service.parts, account.scope, transaction.operationId),
      )
    },
  },
  {
    name: 'look at the operations',
    weight: 2,
    async act(play, random) {
      const { scope } = random.pick(clientOf(play, random).accounts)
      await play.request('look', () => getOperations(play.service.parts, scope, {}, { limit: 20, offset: 0 }))
    },
  },
  {
    name: 'ask for the bytes again',
    weight: 4,
    async act(play, random) {
      const holder = clientOf(play, random)
      const bytes = bytesOf(holder, random)
      if (!bytes) return
      const { account, transaction } = bytes
      await play.request(`bytes of operation ${transaction.operationId}`, async () => {
        const waiting = await issueUnsignedTransactions(play.service.parts, account.scope, transaction.operationId)
        expectSameEffect(holder, waiting)
        holder.receive(account, waiting)
        play.record(waiting.map((one) => `  ${named({ account, transaction: one })}`).join('\n'))
      })
    },
  },
  {
    name: 'register an address that another organization has',
    weight: 1,
    async act(play, random) {
      await random.pick(play.holders).register(random.pick(play.organizations))
    },
  },
]
