import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { EvmCall, EvmIncludedTransaction, IncludedTransaction } from '../../../chains/index.ts'
import type { OperationTransaction } from '../../lifecycle/states/transaction.ts'
import { type Candidate, classifyTransactions, type Finding } from './classify-transactions.ts'

/** Few senders, nonces and contents, to make plans collide often. */
const SENDERS = ['0xA', '0xB']
const CONTENTS = ['0x01', '0x02', '0x03']

const hashOf = (sender: string, nonce: number, data: string) => `${sender}/${nonce}/${data}`

function included(sender: string, nonce: number, data: string): EvmIncludedTransaction {
  return {
    family: 'evm',
    hash: hashOf(sender, nonce, data),
    blockNumber: 1,
    sender,
    to: '0xPool',
    nonce,
    data,
    value: 0n,
    succeeded: true,
    failureCode: undefined,
    gasUsed: 1n,
    gasLimit: 2n,
    logs: [],
  }
}

interface Planned {
  readonly id?: number
  readonly organizationId?: number
  readonly ended?: boolean
  readonly sender?: string
  readonly nonce?: number
  readonly data?: string
  readonly hashes?: readonly string[]
}

function candidate(planned: Planned): Candidate {
  const {
    id = 1,
    organizationId = 1,
    ended: isOperationEnded = false,
    sender = '0xA',
    nonce = 0,
    data = '0x01',
    hashes = [],
  } = planned
  const call = { family: 'evm' as const, to: '0xPool', data, value: 0n }
  const transaction = { transactionId: id, operationId: id, position: 0, sender, nonce, call } as OperationTransaction
  return { organizationId, walletId: 1, strategyId: 1, isOperationEnded, transaction, hashes }
}

/** A realistic block: consecutive nonces for each sender, senders mixed. */
const blocks = fc
  .record({
    starts: fc.tuple(fc.nat({ max: 3 }), fc.nat({ max: 3 })),
    turns: fc.array(fc.record({ sender: fc.nat({ max: 1 }), data: fc.constantFrom(...CONTENTS) }), { maxLength: 6 }),
  })
  .map(({ starts, turns }) => {
    const next = [...starts]
    return turns.map(({ sender, data }) => included(SENDERS[sender]!, next[sender]!++, data))
  })

const plans = fc
  .array(
    fc.record({
      organizationId: fc.integer({ min: 1, max: 2 }),
      ended: fc.boolean(),
      sender: fc.constantFrom(...SENDERS),
      nonce: fc.nat({ max: 6 }),
      data: fc.constantFrom(...CONTENTS),
      reported: fc.option(
        fc.record({
          sender: fc.constantFrom(...SENDERS),
          nonce: fc.nat({ max: 6 }),
          data: fc.constantFrom(...CONTENTS),
        }),
        { freq: 2 },
      ),
    }),
    { maxLength: 12 },
  )
  .map((all) => {
    // A hash is linked to one transaction of an organization.
    const taken = new Set<string>()
    return all.map(({ reported, ...plan }, index) => {
      const hash = reported && hashOf(reported.sender, reported.nonce, reported.data)
      const key = `${plan.organizationId} ${hash}`
      const hashes = hash && !taken.has(key) ? [hash] : []
      taken.add(key)
      return candidate({ ...plan, id: index + 1, hashes })
    })
  })

const matchesByContent = ({ transaction }: Candidate, included: IncludedTransaction) => {
  const landed = included as EvmIncludedTransaction
  const { data } = transaction.call as EvmCall
  return transaction.sender === landed.sender && transaction.nonce === landed.nonce && data === landed.data
}

const always = (
  check: (findings: Finding[], block: readonly EvmIncludedTransaction[], candidates: readonly Candidate[]) => void,
) =>
  fc.assert(
    fc.property(blocks, plans, (block, candidates) =>
      check(classifyTransactions(block, candidates), block, candidates),
    ),
    { numRuns: 500 },
  )

test('an included transaction matches at most one candidate of each organization, and only one with its content', () => {
  always((findings) => {
    const landed = findings.filter(({ kind }) => kind === 'landed')
    const keys = landed.map((finding) => `${finding.candidate.organizationId} ${finding.included.hash}`)
    expect(new Set(keys).size).toBe(keys.length)
    for (const finding of landed) expect(matchesByContent(finding.candidate, finding.included)).toBe(true)
  })
})

test('a block yields at most one finding for a candidate', () => {
  always((findings) => {
    expect(new Set(findings.map((finding) => finding.candidate)).size).toBe(findings.length)
  })
})

test('identical bytes belong to the unfinished operation, then to the linked hash, then to the newest candidate', () => {
  const rank = (one: Candidate, hash: string) => [
    one.isOperationEnded,
    !one.hashes.includes(hash),
    -one.transaction.transactionId,
  ]
  always((findings, _, candidates) => {
    for (const { kind, candidate: winner, included: landed } of findings) {
      if (kind !== 'landed') continue
      const earlier = findings.slice(
        0,
        findings.findIndex((finding) => finding.candidate === winner),
      )
      const settled = new Set(earlier.filter((one) => one.included !== landed).map((one) => one.candidate))
      const rivals = candidates.filter(
        (rival) =>
          rival.organizationId === winner.organizationId && matchesByContent(rival, landed) && !settled.has(rival),
      )
      const best = rivals.toSorted((a, b) => {
        const [left, right] = [rank(a, landed.hash), rank(b, landed.hash)]
        const at = left.findIndex((value, index) => value !== right[index])
        return Number(left[at]) - Number(right[at])
      })[0]
      expect(winner).toBe(best)
    }
  })
})

test('a used nonce displaces the sender’s candidates with that nonce or a lower one, and no others', () => {
  always((findings, block, candidates) => {
    for (const one of candidates) {
      const used = block.some(
        ({ sender, nonce }) => one.transaction.sender === sender && one.transaction.nonce! <= nonce,
      )
      const named = block.some(({ hash }) => one.hashes.includes(hash))
      expect(findings.some((finding) => finding.candidate === one)).toBe(used || named)
    }
  })
})

test('a reported hash of another transaction than the planned one is a mismatch', () => {
  always((findings) => {
    for (const { kind, candidate: one, included: other } of findings) {
      const isMismatch = one.hashes.includes(other.hash) && !matchesByContent(one, other)
      expect(kind === 'mismatch').toBe(isMismatch)
    }
  })
})

test('findings follow the order of the block, and displaced candidates precede the landed one', () => {
  always((findings, block) => {
    const places = findings.map(({ included: found }) => block.indexOf(found as EvmIncludedTransaction))
    expect(places).toEqual(places.toSorted((a, b) => a - b))
    for (const [index, { kind, candidate: one, included: landed }] of findings.entries()) {
      if (kind !== 'landed') continue
      const after = findings.slice(index + 1).filter(({ included: other }) => other === landed)
      expect(after.filter((finding) => finding.candidate.organizationId === one.organizationId)).toEqual([])
    }
  })
})

test('the same plan with other fees, and thus another hash, is matched by its content', () => {
  const plan = candidate({ nonce: 3, hashes: ['the hash that was submitted'] })
  expect(classifyTransactions([included('0xA', 3, '0x01')], [plan])).toMatchObject([
    { kind: 'landed', candidate: plan },
  ])
})

test('every organization that planned the same bytes for the same address gets the landing', () => {
  const [mine, theirs] = [candidate({ id: 1 }), candidate({ id: 2, organizationId: 2 })]
  expect(classifyTransactions([included('0xA', 0, '0x01')], [mine, theirs]).map(({ kind }) => kind)).toEqual([
    'landed',
    'landed',
  ])
})
