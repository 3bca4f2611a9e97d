import { recoverTransaction, submitHash } from '../../src/operations/index.ts'
import { hashOf } from '../world/raw.ts'
import type { Action } from './action.ts'
import { bytesOf, clientOf, named, submit } from './requests.ts'

/** What clients do with bytes: usually what they should. */
export const SUBMITTING: readonly Action[] = [
  {
    name: 'submit the next transaction',
    weight: 16,
    async act(run, random) {
      const holder = clientOf(run, random)
      const newest = holder.issued.at(-1)?.transaction.operationId
      const own = holder.issued.filter(({ transaction }) => transaction.operationId === newest)
      for (const bytes of own) {
        if (run.submitted.has(bytes.transaction.transactionId)) continue
        run.submitted.add(bytes.transaction.transactionId)
        await run.request(`submit ${named(bytes)}`, submit(run, holder, bytes))
        if (random.chance(0.4)) return
      }
    },
  },
  {
    name: 'submit any signed bytes',
    weight: 5,
    async act(run, random) {
      const holder = clientOf(run, random)
      const bytes = bytesOf(holder, random)
      if (bytes) await run.request(`submit ${named(bytes)}`, submit(run, holder, bytes))
    },
  },
  {
    name: 'submit the same bytes twice concurrently',
    weight: 2,
    async act(run, random) {
      const holder = clientOf(run, random)
      const bytes = bytesOf(holder, random)
      if (!bytes) return
      const name = `submit ${named(bytes)}`
      await run.requests([
        [name, submit(run, holder, bytes)],
        [name, submit(run, holder, bytes, random.chance(0.5) ? 100n : 120n)],
      ])
    },
  },
  {
    name: 'replace with higher fees',
    weight: 4,
    async act(run, random) {
      const holder = clientOf(run, random)
      const bytes = bytesOf(holder, random)
      const fee = BigInt(random.between(101, 200))
      if (bytes) await run.request(`submit ${named(bytes)} for ${fee}%`, submit(run, holder, bytes, fee))
    },
  },
  {
    name: 'broadcast without the service',
    weight: 6,
    async act(run, random) {
      const holder = clientOf(run, random)
      const bytes = bytesOf(holder, random)
      if (!bytes) return
      const raw = holder.sign(bytes, BigInt(random.pick([100, 100, 115, 150])))
      holder.sent.push({ bytes, hash: hashOf(raw) })
      run.record(`  ${named(bytes)} as ${hashOf(raw).slice(0, 10)}: ${run.world.send(raw).outcome}`)
    },
  },
  {
    name: 'report a hash',
    weight: 4,
    async act(run, random) {
      const holder = clientOf(run, random)
      const bytes = bytesOf(holder, random)
      const sent = random.pick(holder.sent.slice(-4))
      if (!bytes) return
      // Usually of the right transaction; otherwise of another one, or of an unknown one.
      const reported = sent && random.chance(0.7) ? sent.bytes : bytes
      const txHash = sent && random.chance(0.8) ? sent.hash : hashOf(`${random.next()}`)
      const { account, transaction } = reported
      const { operationId, transactionId } = transaction
      const input = { scope: account.scope, operationId, txHash, ...(random.chance(0.5) ? { transactionId } : {}) }
      const verb = random.chance(0.6) ? submitHash : recoverTransaction
      await run.request(`${verb.name} ${txHash.slice(0, 10)} for ${named(reported)}`, () =>
        verb(run.service.parts, input),
      )
    },
  },
]
