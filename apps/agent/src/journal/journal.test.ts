import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, expect, test } from 'vitest'
import type { Move } from '../limits/index.ts'
import { openJournal, type SignedTransaction } from './index.ts'

const root = mkdtempSync(join(tmpdir(), 'weir-journal-'))
afterAll(() => rmSync(root, { recursive: true }))
const clock = { now: () => new Date('2026-01-01T00:00:00Z') }
let folders = 0
const folder = () => join(root, String(++folders))

const entry = (hash: string, more: Partial<SignedTransaction> = {}): SignedTransaction => ({
  transactionId: 1,
  operationId: 9,
  blockchain: 'polygon',
  signer: '0xme',
  unsigned: '0x02',
  raw: `0x02${hash}`,
  hash,
  nonce: 4,
  meaning: '{}',
  venue: 'Aave V3 USDC',
  leaseToken: null,
  genesis: '0x0',
  height: null,
  ...more,
})

test('signed transactions survive a restart until they end', () => {
  const dir = folder()
  const first = openJournal(dir, clock)
  first.recordSigned(entry('a'))
  first.recordSigned(entry('b', { transactionId: 2 }))
  first.recordSigned(entry('c', { transactionId: 3 }))
  first.recordReported(entry('a'), 'SUBMITTED')
  first.recordOutcome(entry('b'), 'final')
  first.close()
  const again = openJournal(dir, clock)
  expect(again.id).toBe(first.id)
  expect(again.outstanding()).toEqual([entry('a'), entry('c', { transactionId: 3 })])
  expect(again.isReported(entry('a'))).toBe(true)
  expect(again.isReported(entry('c'))).toBe(false)
  expect(again.outcomeOf(entry('b'))).toBe('final')
  expect(again.signedFor(1)).toEqual([entry('a')])
  again.close()
})

test('refused bytes that are sent again are watched again, once', () => {
  const dir = folder()
  const first = openJournal(dir, clock)
  first.recordSigned(entry('a'))
  first.recordOutcome(entry('a'), 'refused')
  expect(first.outstanding()).toEqual([])
  const again = entry('a', { leaseToken: 'lease_2' })
  first.recordSigned(again)
  expect(first.outstanding()).toEqual([again])
  first.close()
  const second = openJournal(dir, clock)
  expect(second.outstanding()).toEqual([again])
  second.close()
})

test('the address of a wallet never changes after its first use', () => {
  const journal = openJournal(folder(), clock)
  expect(journal.pinWallet(1, '0xa')).toBe(true)
  expect(journal.pinWallet(1, '0xa')).toBe(true)
  expect(journal.pinWallet(1, '0xb')).toBe(false)
  expect(journal.pinWallet(2, '0xb')).toBe(true)
  journal.close()
})

test('an operation stays at its first venue, and a key belongs to its action for good', () => {
  const journal = openJournal(folder(), clock)
  expect(journal.venueOf(9)).toBeUndefined()
  journal.recordSigned(entry('a'))
  expect(journal.venueOf(9)).toBe('Aave V3 USDC')
  journal.recordKey(5, { address: '0xa', signatureId: 'key' })
  expect(journal.keyOf(5)).toEqual({ address: '0xa', signatureId: 'key' })
  expect(journal.keyOf(6)).toBeUndefined()
  for (const request of ['for Ada', 'for Ada']) expect(journal.bindAction(5, request)).toBe(true)
  expect(journal.bindAction(5, 'for Bob')).toBe(false)
  journal.recordRefused(1, 'WRONG_AMOUNT: ...')
  journal.close()
})

test('the journal is append-only, and a second process cannot open it', () => {
  const dir = folder()
  const journal = openJournal(dir, clock)
  journal.recordSigned(entry('a'))
  expect(() => openJournal(dir, clock)).toThrow('is held by another agent')
  journal.close()
  const db = new DatabaseSync(join(dir, 'journal.sqlite'))
  expect(() => db.exec("update events set data = '{}'")).toThrow('append-only')
  expect(() => db.exec('delete from events')).toThrow('append-only')
  db.close()
})

const move = (more: Partial<Move> = {}): Move => ({
  blockchain: 'polygon',
  token: 'USDC',
  venue: 'Aave V3 USDC',
  wallet: '0xme',
  does: 'supply',
  amount: 10n ** 20n,
  fee: 3n,
  ...more,
})
const reservation = (key: string, more: Partial<Move> = {}) => ({ transactionId: 1, key, move: move(more) })
const allow = () => undefined
const at = clock.now().getTime()

test('a reserved move counts at once and after a restart, and the next one sees it', () => {
  const dir = folder()
  const first = openJournal(dir, clock)
  expect(first.reserve(reservation('a'), allow)).toBeUndefined()
  expect(first.reserve(reservation('b'), (counted) => (counted.length > 0 ? 'no' : undefined))).toBe('no')
  expect(first.counted()).toEqual([{ ...move(), at }])
  first.close()
  const again = openJournal(dir, clock)
  expect(again.counted()).toEqual([{ ...move(), at }])
  expect(again.reserve(reservation('a'), (counted) => (counted.length > 0 ? 'no' : undefined))).toBeUndefined()
  again.close()
})

test('other bytes with the same key count once, with the higher amount and fee', () => {
  const journal = openJournal(folder(), clock)
  journal.reserve(reservation('a', { fee: 9n }), allow)
  journal.reserve(reservation('a', { amount: 5n }), allow)
  expect(journal.counted()).toEqual([{ ...move({ fee: 9n }), at }])
  journal.close()
})

test('signed bytes count until the chain decides, then from their landing, and not at all when dead', () => {
  const dir = folder()
  let now = at
  const moving = { now: () => new Date(now) }
  const first = openJournal(dir, moving)
  for (const name of ['lands', 'dies', 'stays']) {
    first.reserve(reservation(name), allow)
    first.recordSigned(entry(name, { reservation: name }))
  }
  now += 30 * 3_600_000
  expect(first.counted().map((one) => one.at)).toEqual([null, null, null])
  first.recordOutcome(entry('lands', { reservation: 'lands' }), 'final')
  first.recordOutcome(entry('dies', { reservation: 'dies' }), 'dead')
  expect(first.counted().map((one) => one.at)).toEqual([now, null])
  first.close()
  const again = openJournal(dir, moving)
  expect(again.counted().map((one) => one.at)).toEqual([now, null])
  again.close()
})

test('refused bytes that were reserved and sent again no longer count once they are dead', () => {
  const dir = folder()
  const first = openJournal(dir, clock)
  const signed = entry('a1', { reservation: 'a' })
  for (const ending of ['refused', 'dead'] as const) {
    first.reserve(reservation('a'), allow)
    first.recordSigned(signed)
    first.recordSigned(signed)
    first.recordOutcome(signed, ending)
    expect(first.counted()).toHaveLength(ending === 'dead' ? 0 : 1)
  }
  first.close()
  const again = openJournal(dir, clock)
  expect(again.counted()).toEqual([])
  again.close()
})

test('a reservation ends with the signer’s refusal, but not while other bytes with its key can land', () => {
  const journal = openJournal(folder(), clock)
  journal.reserve(reservation('a'), allow)
  journal.release(reservation('a'))
  expect(journal.counted()).toEqual([])
  journal.reserve(reservation('b'), allow)
  journal.recordSigned(entry('b1', { reservation: 'b' }))
  journal.reserve(reservation('b'), allow)
  journal.recordOutcome(entry('b1', { reservation: 'b' }), 'dead')
  expect(journal.counted()).toHaveLength(1)
  journal.release(reservation('b'))
  expect(journal.counted()).toEqual([])
  journal.close()
})

test('a journal of an earlier version opens, and what it signed does not count', () => {
  const dir = folder()
  const first = openJournal(dir, clock)
  first.recordSigned(entry('a'))
  first.close()
  const again = openJournal(dir, clock)
  expect(again.counted()).toEqual([])
  expect(again.size()).toBe(3)
  again.close()
})
