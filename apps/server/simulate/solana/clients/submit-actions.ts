import { base58 } from '@scure/base'
import { recoverTransaction, submitHash } from '../../../src/operations/index.ts'
import type { Action } from '../../clients/action.ts'
import type { Random } from '../../random.ts'
import type { SolanaRun } from '../solana-run.ts'
import { digestOf } from '../world/keys.ts'
import { decodeTransaction } from '../world/transaction.ts'
import { bytesOf, clientOf, named, submit } from './requests.ts'
import type { SolanaClientBytes, SolanaWalletClient } from './wallet-client.ts'

/** What clients do with bytes: usually what they should. */
export const SUBMITTING: readonly Action<SolanaRun>[] = [
  {
    name: 'submit the next transaction',
    weight: 16,
    async act(run, random) {
      const holder = clientOf(run, random)
      const newest = holder.issued.findLast(({ discarded }) => !discarded)
      if (!newest || run.submitted.has(newest.transaction.transactionId)) return
      run.submitted.add(newest.transaction.transactionId)
      await run.request(`submit ${named(newest)}`, submit(run, holder, newest))
    },
  },
  {
    name: 'submit any signed bytes',
    weight: 6,
    async act(run, random) {
      const holder = clientOf(run, random)
      const bytes = bytesOf(holder, random)
      if (bytes) await run.request(`submit ${named(bytes)}`, submit(run, holder, bytes))
    },
  },
  {
    name: 'submit just before the blockhash expires',
    weight: 3,
    async act(run, random) {
      const holder = clientOf(run, random)
      const bytes = bytesOf(holder, random)
      if (!bytes) return
      const left = (bytes.transaction.lastValidBlockHeight ?? 0) - run.cluster.latest.height
      run.mine(Math.max(0, left - random.between(-1, 3)))
      await run.request(`submit ${named(bytes)}`, submit(run, holder, bytes))
      run.mine(random.between(0, 3))
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
        [name, submit(run, holder, bytes)],
      ])
    },
  },
  {
    name: 'broadcast without the service',
    weight: 7,
    async act(run, random) {
      const holder = clientOf(run, random)
      const bytes = bytesOf(holder, random)
      if (bytes) send(run, holder, bytes, holder.sign(bytes))
    },
  },
  {
    name: 'broadcast with another fee without the service',
    weight: 1,
    async act(run, random) {
      const holder = clientOf(run, random)
      const bytes = bytesOf(holder, random)
      if (bytes) send(run, holder, bytes, holder.signFor(bytes, BigInt(random.between(1, 50_000))))
    },
  },
  {
    name: 'report a hash',
    weight: 5,
    async act(run, random) {
      const holder = clientOf(run, random)
      const bytes = bytesOf(holder, random)
      const sent = random.pick(holder.sent.slice(-4))
      if (!bytes) return
      // Usually of the right transaction; otherwise of another one, or of an unknown one.
      const reported = sent && random.chance(0.7) ? sent.bytes : bytes
      const txHash = sent && random.chance(0.8) ? sent.hash : unknownHash(random)
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

/** A signature that was never made. */
function unknownHash(random: Random): string {
  return base58.encode(Buffer.concat([digestOf(`${random.next()}`), digestOf(`${random.next()}`)]))
}

function send(run: SolanaRun, holder: SolanaWalletClient, bytes: SolanaClientBytes, raw: string): void {
  const hash = decodeTransaction(raw).signature
  holder.sent.push({ bytes, hash })
  run.cluster.enqueue(raw)
  run.record(`  ${named(bytes)} as ${hash.slice(0, 10)}`)
}
