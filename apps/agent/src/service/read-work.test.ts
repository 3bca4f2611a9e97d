import { expect, test } from 'vitest'
import { readAction, readTransaction } from './read-work.ts'

const transaction = {
  id: 1,
  operationId: 2,
  unsignedTx: '0x02',
  metadata: {
    blockchain: 'polygon',
    walletId: 3,
    walletAddress: '0xme',
    amount: '1.00',
    token: 'USDC',
    type: 'SUPPLY',
    step: 'SUPPLY_TO_PROVIDER',
    full: false,
    protocol: 'aave-v3',
  },
  claimedAt: '2026-05-05T12:00:00.000Z',
  leaseExpiresAt: '2026-05-05T12:01:00.000Z',
  leaseToken: 'lease_1',
}
const { metadata } = transaction

test('work of the documented form passes unchanged, with fields of later versions', () => {
  const more = { ...transaction, approval: null, somethingNew: 1 }
  expect(readTransaction(more)).toBe(more)
  expect(readTransaction(null)).toBeNull()
  const action = { id: 1, type: 'CREATE_WALLET', payload: { blockchain: 'base', label: 'x' }, challenge: 'text' }
  expect(readAction(action)).toBe(action)
  expect(readAction(null)).toBeNull()
})

test.each([
  ['a number', 5],
  ['a list', []],
  ['nothing', undefined],
  ['no id', { ...transaction, id: undefined }],
  ['an id of text', { ...transaction, id: '1' }],
  ['a fractional operation', { ...transaction, operationId: 1.5 }],
  ['an id beyond safe integers', { ...transaction, id: 2 ** 53 }],
  ['no metadata', { ...transaction, metadata: null }],
  ['an amount that is a number', { ...transaction, metadata: { ...metadata, amount: 1 } }],
  ['a wallet that is a list', { ...transaction, metadata: { ...metadata, walletAddress: ['0xme'] } }],
  ['full as text', { ...transaction, metadata: { ...metadata, full: 'true' } }],
  ['bytes without an end', { ...transaction, unsignedTx: '0x'.padEnd(40_001, '0') }],
  ['a lease without an end', { ...transaction, leaseExpiresAt: '9999-01-01T00:00:00Z' }],
  ['a lease that ended before it began', { ...transaction, leaseExpiresAt: '2020-01-01T00:00:00Z' }],
  ['a lease at no time', { ...transaction, claimedAt: 'now' }],
  ['a token that is an object', { ...transaction, leaseToken: {} }],
])('a transaction that is or has %s is refused as unreadable, and the agent goes on', (_name, json) => {
  expect(() => readTransaction(json)).toThrow(expect.objectContaining({ name: 'ServiceError', code: 'UNREADABLE' }))
})

test.each([
  ['no payload', { id: 1, type: 'CREATE_WALLET' }],
  ['a type that is a number', { id: 1, type: 5, payload: {} }],
  ['a time that is a number', { id: 1, type: 'CREATE_WALLET', payload: {}, createdAt: 5 }],
  ['an endless challenge', { id: 1, type: 'CREATE_WALLET', payload: {}, challenge: 'x'.repeat(40_001) }],
])('an action with %s is refused as unreadable', (_name, json) => {
  expect(() => readAction(json)).toThrow(expect.objectContaining({ code: 'UNREADABLE' }))
})
