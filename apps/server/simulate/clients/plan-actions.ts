import { cancelOperation, getOperations, issueUnsignedTransactions } from '../../src/operations/index.ts'
import { expectSameEffect } from '../checks/plan.ts'
import type { Action } from './action.ts'
import { bytesOf, clientOf, named, supply, unwind } from './requests.ts'

/** What clients do before they sign: plan, read, change their minds. */
export const PLANNING: readonly Action[] = [
  {
    name: 'plan a supply',
    weight: 10,
    async act(run, random) {
      const holder = clientOf(run, random)
      await run.request(
        'supply',
        await supply(run, { holder, account: random.pick(holder.accounts), random, alone: true }),
      )
    },
  },
  {
    name: 'plan an unwind',
    weight: 7,
    async act(run, random) {
      const holder = clientOf(run, random)
      await run.request(
        'unwind',
        await unwind(run, { holder, account: random.pick(holder.accounts), random, alone: true }),
      )
    },
  },
  {
    name: 'plan concurrently',
    weight: 3,
    async act(run, random) {
      const works = []
      for (let count = random.between(2, 3); count > 0; count -= 1) {
        const holder = clientOf(run, random)
        const plan = random.chance(0.6) ? supply : unwind
        works.push([
          'plan',
          await plan(run, { holder, account: random.pick(holder.accounts), random, alone: false }),
        ] as const)
      }
      await run.requests(works)
    },
  },
  {
    name: 'cancel',
    weight: 4,
    async act(run, random) {
      const holder = clientOf(run, random)
      const bytes = bytesOf(holder, random)
      if (!bytes) return
      const { account, transaction } = bytes
      await run.request(`cancel ${transaction.operationId}`, () =>
        cancelOperation(run.service.parts, account.scope, transaction.operationId),
      )
    },
  },
  {
    name: 'read the operations',
    weight: 2,
    async act(run, random) {
      const { scope } = random.pick(clientOf(run, random).accounts)
      await run.request('look', () => getOperations(run.service.parts, scope, {}, { limit: 20, offset: 0 }))
    },
  },
  {
    name: 'request the bytes again',
    weight: 4,
    async act(run, random) {
      const holder = clientOf(run, random)
      const bytes = bytesOf(holder, random)
      if (!bytes) return
      const { account, transaction } = bytes
      await run.request(`bytes of operation ${transaction.operationId}`, async () => {
        const waiting = await issueUnsignedTransactions(run.service.parts, account.scope, transaction.operationId)
        expectSameEffect(holder, waiting)
        holder.receive(account, waiting)
        run.record(waiting.map((one) => `  ${named({ account, transaction: one })}`).join('\n'))
      })
    },
  },
  {
    name: 'register an address of another organization',
    weight: 1,
    async act(run, random) {
      await random.pick(run.holders).register(random.pick(run.organizations))
    },
  },
]
