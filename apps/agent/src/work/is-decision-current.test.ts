import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemClock } from '../clock.ts'
import { type Journal, openJournal, type SignedTransaction } from '../journal/index.ts'
import { isDecisionCurrent } from './is-decision-current.ts'

let dir: string
let journal: Journal
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'weir-as-before-'))
  journal = openJournal(dir, systemClock)
})
afterEach(() => {
  journal.close()
  rmSync(dir, { recursive: true })
})

const entry = (change: Partial<SignedTransaction> = {}): SignedTransaction => ({
  transactionId: 1,
  operationId: 5,
  blockchain: 'polygon',
  signer: '0xme',
  unsigned: '0x01',
  raw: '0x11',
  hash: '0xhash1',
  nonce: 0,
  meaning: '{}',
  venue: 'Aave V3 USDC',
  leaseToken: null,
  genesis: '0x9e9e',
  height: null,
  ...change,
})
const binding = { challenge: 'challenge', does: 'supply' }

test('nothing changed: the bytes may be recorded', () => {
  journal.bindApproval(binding, 1)
  expect(isDecisionCurrent(journal, entry(), { earlier: [], binding })).toBe(true)
})

test('a transaction that was signed meanwhile is not signed again', () => {
  const earlier = journal.signedFor(1)
  journal.recordSigned(entry({ hash: '0xhash2', nonce: 1 }))
  expect(isDecisionCurrent(journal, entry(), { earlier, binding: undefined })).toBe(false)
  expect(isDecisionCurrent(journal, entry(), { earlier: journal.signedFor(1), binding: undefined })).toBe(true)
})

test('an operation that began at another venue meanwhile stays there', () => {
  journal.recordSigned(entry({ transactionId: 2, hash: '0xhash2', venue: 'Yield Vault USDC' }))
  expect(isDecisionCurrent(journal, entry(), { earlier: [], binding: undefined })).toBe(false)
})

test('an approval that another transaction used meanwhile releases nothing', () => {
  journal.bindApproval(binding, 2)
  expect(isDecisionCurrent(journal, entry(), { earlier: [], binding })).toBe(false)
})
