import { cancelOperation, getOperations } from '../../../src/operations/index.ts'
import type { Action } from '../../clients/action.ts'
import type { SolanaRun } from '../solana-run.ts'
import { bytesOf, clientOf, requestUnsignedBytes, supply, unwind } from './requests.ts'

/** What clients do before they sign: plan, read, change their minds. */
export const PLANNING: readonly Action<SolanaRun>[] = [
  {
    name: 'plan a supply',
    weight: 10,
    async act(play, random) {
      const holder = clientOf(play, random)
      await play.request('supply', await supply(play, holder, random.pick(holder.accounts), random))
    },
  },
  {
    name: 'plan an unwind',
    weight: 7,
    async act(play, random) {
      const holder = clientOf(play, random)
      await play.request('unwind', await unwind(play, holder, random.pick(holder.accounts), random))
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
        works.push(['plan', await plan(play, holder, random.pick(holder.accounts), random)] as const)
      }
      await play.requests(works)
    },
  },
  {
    name: 'cancel',
    weight: 4,
    async act(play, random) {
      const bytes = bytesOf(clientOf(play, random), random)
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
    weight: 7,
    async act(play, random) {
      const holder = clientOf(play, random)
      const bytes = bytesOf(holder, random)
      if (bytes) await requestUnsignedBytes(play, holder, bytes, 'none')
    },
  },
  {
    name: 'promise that bytes go nowhere, and ask for others',
    weight: 4,
    async act(play, random) {
      const holder = clientOf(play, random)
      const bytes = bytesOf(holder, random)
      if (bytes) await requestUnsignedBytes(play, holder, bytes, random.chance(0.75) ? 'kept' : 'broken')
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
