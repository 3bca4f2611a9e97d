import { cancelOperation, getOperations } from '../../../src/operations/index.ts'
import type { Action } from '../../clients/action.ts'
import type { SolanaRun } from '../solana-run.ts'
import { bytesOf, clientOf, requestUnsignedBytes, supply, unwind } from './requests.ts'

/** What clients do before they sign: plan, read, change their minds. */
export const PLANNING: readonly Action<SolanaRun>[] = [
  {
    name: 'plan a supply',
    weight: 10,
    async act(run, random) {
      const holder = clientOf(run, random)
      await run.request('supply', await supply(run, holder, random.pick(holder.accounts), random))
    },
  },
  {
    name: 'plan an unwind',
    weight: 7,
    async act(run, random) {
      const holder = clientOf(run, random)
      await run.request('unwind', await unwind(run, holder, random.pick(holder.accounts), random))
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
        works.push(['plan', await plan(run, holder, random.pick(holder.accounts), random)] as const)
      }
      await run.requests(works)
    },
  },
  {
    name: 'cancel',
    weight: 4,
    async act(run, random) {
      const bytes = bytesOf(clientOf(run, random), random)
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
    weight: 7,
    async act(run, random) {
      const holder = clientOf(run, random)
      const bytes = bytesOf(holder, random)
      if (bytes) await requestUnsignedBytes(run, holder, bytes, 'none')
    },
  },
  {
    name: 'discard the bytes and request new ones',
    weight: 4,
    async act(run, random) {
      const holder = clientOf(run, random)
      const bytes = bytesOf(holder, random)
      if (bytes) await requestUnsignedBytes(run, holder, bytes, random.chance(0.75) ? 'kept' : 'broken')
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
